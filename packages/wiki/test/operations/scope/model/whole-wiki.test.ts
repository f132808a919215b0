import { expect, test } from 'vitest';
import type { OperationName } from '../../../../src/contract/operations.ts';
import type { Scope } from '../../../../src/contract/scope.ts';
import { SYNC_REPORT } from '../../sync-report.ts';
import { OF_THE_WHOLE_WIKI } from './compared-operations.ts';
import { openScopedWiki } from './model-wiki.ts';

const SCOPE: Scope = { read: ['in/'], write: ['in/'] };
const FILES = { 'in/Tea.md': 'tea\n', 'out/Zebra.md': 'zebra\n' };

test.each(OF_THE_WHOLE_WIKI)('%s is refused, which takes the whole wiki', async (name) => {
  const wiki = await openScopedWiki(FILES, SCOPE);
  const commit = await wiki.git(['rev-parse', 'main']);
  const inputs: Partial<Record<OperationName, Record<string, unknown>>> = {
    create_wiki: { wiki: 'another' },
    set_remote: { remote: null },
    report_sync: { url: 'https://example.org/x.git', report: SYNC_REPORT },
    send_objects: { wants: [commit] },
    receive_push: { from: commit, to: commit },
    merge_commits: { commit, source: 'a branch' },
  };
  const called = wiki.call('scope', { name, input: inputs[name] ?? {} });
  await expect(called).rejects.toMatchObject({ code: 'forbidden', data: { scope: SCOPE } });
  await wiki.close();
});

test('a list of remotes says only that a remote takes the whole wiki', async () => {
  const wiki = await openScopedWiki(FILES, SCOPE);
  const remote = {
    url: 'https://zebra.example/x.git',
    mode: 'two-way',
    branch: null,
    every_ms: 60_000,
    token_from: null,
  };
  await wiki.call('everybody', { name: 'set_remote', input: { remote } });
  expect(await wiki.call('everybody', { name: 'list_remotes', input: {} })).toMatchObject({
    remotes: [{ remote }],
  });
  const listed = await wiki.call('scope', { name: 'list_remotes', input: {} });
  const problem = expect.stringContaining('takes the whole wiki');
  expect(listed).toMatchObject({ remotes: [{ remote: null, report: null, problem }] });
  expect(JSON.stringify(listed)).not.toContain('zebra');
  await wiki.close();
});
