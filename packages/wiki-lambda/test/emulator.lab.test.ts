import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startEmulator } from '../../../labs/lambda-lab/emulator.ts';
import { connect } from '../../wiki/src/contract/connect.ts';
import { git } from '../../wiki/test/native-git.ts';
import { TestWiki } from '../../wiki/test/operations/test-wiki.ts';
import { buildFunction, functionDirectory } from '../build.ts';

test("under AWS's own emulator the same bundle answers one call after another", async () => {
  await buildFunction();
  const directory = mkdtempSync(join(tmpdir(), 'wikis-'));
  const emulator = await startEmulator(functionDirectory, { PAGETREE_DIR: directory });
  onTestFinished(async () => {
    await emulator.stop();
    rmSync(directory, { recursive: true });
  });
  const nativeGit = (words: readonly string[]) => git(join(directory, 'main.git'), words);
  const wiki = new TestWiki({
    wiki: connect((request) => emulator.invoke(request)),
    git: nativeGit,
    settle: async () => {
      await wiki.run('wiki_status', {});
    },
  });

  expect(await wiki.run('wiki_status', {})).toMatchObject({ backend: 'lambda', wiki: 'main' });
  const written = await wiki.write('Guides/Start', 'one\n');
  expect(await wiki.content('Guides/Start')).toBe('one\n');
  const edits = [{ old_string: 'one', new_string: 'two' }];
  const edit = { path: 'Guides/Start', edits, request_id: 'edit-1' };
  const edited = await wiki.run('edit_page', edit);
  expect(await wiki.run('edit_page', edit)).toEqual(edited);
  expect(edited.previous_version).toBe(written.version);
  expect((await wiki.refused('read_page', { path: 'Nowhere' })).code).toBe('not_found');
  expect(await emulator.invoke('no request')).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
  expect(await wiki.git('log', '--format=%an', '-1')).toBe('Ada Lovelace');
  expect(await wiki.git('fsck', '--strict', '--no-dangling')).toBe('');
});
