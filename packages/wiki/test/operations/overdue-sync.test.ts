import { openWiki } from '@pagetree/wiki';
import { type Call, callOperation, type OperationName, type Output } from '@pagetree/wiki/contract';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../native-git.ts';

const URL = 'https://example.org/notes.git';
const CALL: Call = { caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: null } };
const MINUTE = 60_000;

/** The problems that wiki_status reports if the next sync was due so long ago. */
async function problemsAfter(lateMs: number, backend: string): Promise<string[]> {
  const host = { backend, versions: {}, problems: [] };
  const directory = temporaryDirectory();
  const { wiki, close } = await openWiki({
    ...{ directory, wiki: null, placement: 'local', host },
    makes: 'default wiki',
  });
  onTestFinished(() => close());
  const run = async <Name extends OperationName>(name: Name, input: object): Promise<Output<Name>> =>
    (await callOperation(wiki, name, input, CALL)) as Output<Name>;
  const remote = { url: URL, mode: 'two-way', branch: null, every_ms: 300_000, token_from: null };
  await run('set_remote', { remote });
  const now = Date.now();
  const due = now - lateMs;
  const report = {
    ...{ state: 'in_step', words: 'Both are in step.', at: due - 5 * MINUTE, in_step_at: due, next_at: due },
    ...{ failures: 0, branch: 'refs/heads/main', tip: null },
  };
  await run('report_sync', { url: URL, report });
  return (await run('wiki_status', {})).problems.filter((each) => each.includes(URL));
}

test('on AWS a sync that nobody made for long is a problem, as no server of the wiki makes it', async () => {
  expect(await problemsAfter(60 * MINUTE, 'lambda')).toEqual([
    expect.stringMatching(/^Nobody has looked at https:\/\/example\.org\/notes\.git since .*"sync": true/),
  ]);
  expect(await problemsAfter(10 * MINUTE, 'lambda')).toEqual([]);
  expect(await problemsAfter(-MINUTE, 'lambda')).toEqual([]);
});

test('on another machine the server that is asked makes it', async () => {
  expect(await problemsAfter(60 * MINUTE, 'local')).toEqual([]);
});
