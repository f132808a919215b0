import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openWiki } from '@pagetree/wiki';
import { callOperation, type Wiki, WikiError } from '@pagetree/wiki/contract';
import { expect, onTestFinished, test } from 'vitest';
import { noise } from '../../../../labs/noise.ts';
import { git, temporaryDirectory } from '../../../wiki/test/native-git.ts';
import { commitFiles } from '../../../wiki/test/operations/local-backends.ts';
import { everyLocalFile } from './local-files.ts';
import { withLocalFiles } from './with-local-files.ts';

const call = { caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: null } };
const MOST = 100_000;

/** A wiki with more than three times of what it gives in one call. */
async function openLargeWiki() {
  const directory = temporaryDirectory();
  git(directory, ['init', '--quiet', '--bare', '--initial-branch=main', 'main.git']);
  const pages = Array.from({ length: 200 }, (_, at) => [`${at}.md`, noise(2_000).toString('base64')]);
  commitFiles(join(directory, 'main.git'), Object.fromEntries(pages));
  const host = { backend: 'test', versions: {}, problems: [], attachmentBytes: MOST };
  const opened = await openWiki({ directory, wiki: 'main', placement: 'local', host });
  onTestFinished(() => opened.close());
  for (const at of [1, 2]) {
    await callOperation(opened.wiki, 'append_to_page', { path: `${at}`, content: 'more' }, call);
  }
  await opened.settle();
  return { wiki: opened.wiki, repository: join(directory, 'main.git') };
}

function exportTo(wiki: Wiki, place: string, isRemote: boolean, input: object = {}) {
  const withFiles = withLocalFiles(wiki, everyLocalFile(), { savesFiles: true, isRemote });
  return callOperation(withFiles, 'export_wiki', { format: 'bundle', local_path: place, ...input }, call);
}

test('a history that is too large for one call comes from another process in parts, complete', async () => {
  const { wiki, repository } = await openLargeWiki();
  const directory = temporaryDirectory();
  const place = join(directory, 'all.bundle');
  const calls: string[] = [];
  const counting: Wiki = {
    ...wiki,
    send_objects: (...asked) => {
      calls.push('send_objects');
      return wiki.send_objects(...asked);
    },
  };
  const head = git(repository, ['rev-parse', 'main']);
  expect(await exportTo(counting, place, true)).toMatchObject({
    wiki: 'main',
    commit: head,
    format: 'bundle',
    files: 200,
    size: statSync(place).size,
    left_out: [],
    left_out_total: 0,
    content: null,
    saved_to: place,
  });
  expect(calls.length).toBeGreaterThan(3);
  expect(readdirSync(directory)).toEqual(['all.bundle']);
  git(directory, ['clone', '--quiet', 'all.bundle', 'clone']);
  const clone = join(directory, 'clone');
  expect(git(clone, ['rev-list', '--all'])).toBe(git(repository, ['rev-list', 'main']));
  expect(git(clone, ['fsck', '--strict'])).toBe('');
  expect(git(clone, ['rev-parse', '--abbrev-ref', 'HEAD'])).toBe('main');
});

test('a part that does not come leaves no file', async () => {
  const { wiki } = await openLargeWiki();
  let parts = 0;
  const failing: Wiki = {
    ...wiki,
    send_objects: (...asked) => {
      parts += 1;
      if (parts < 3) return wiki.send_objects(...asked);
      throw new WikiError('busy', { happened: 'No.', now: 'Nothing was read.', next: 'Wait.' });
    },
  };
  const directory = temporaryDirectory();
  const exported = exportTo(failing, join(directory, 'all.bundle'), true);
  await expect(exported).rejects.toMatchObject({ code: 'busy' });
  expect(readdirSync(directory)).toEqual([]);
});

test('an older commit, and a wiki of the same process, are refused as too large', async () => {
  const { wiki, repository } = await openLargeWiki();
  const place = join(temporaryDirectory(), 'all.bundle');
  const at = git(repository, ['rev-parse', 'main^']);
  for (const [isRemote, input] of [
    [true, { at }],
    [false, {}],
  ] as const) {
    await expect(exportTo(wiki, place, isRemote, input)).rejects.toMatchObject({ code: 'too_large' });
  }
});
