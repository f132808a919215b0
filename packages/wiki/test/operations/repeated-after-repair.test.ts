import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { callOperation, type OperationName } from '../../src/contract/index.ts';
import { openWiki } from '../../src/index.ts';
import { git, temporaryDirectory } from '../native-git.ts';

it('an agent that repeats a write gets the same answer after a repair merged it beside others', async () => {
  const directory = temporaryDirectory();
  const caller = { author: { name: 'Ada', email: 'ada@example.org' }, agent: 'agent/1' };
  async function open() {
    const host = { backend: 'lambda', versions: {}, problems: [] };
    const { wiki, close } = await openWiki({ directory, wiki: null, placement: 'shared', host });
    onTestFinished(close);
    const call = (operation: OperationName, input: object) =>
      callOperation(wiki, operation, { wiki: 'main', ...input } as never, { caller });
    return { call, close };
  }
  const write = { path: 'Lost', content: 'kept\n', request_id: 'mine' };
  const first = await open();
  await first.call('write_page', { path: 'Old', content: 'old\n' });
  const before = git(join(directory, 'main.git'), ['rev-parse', 'main']);
  const answer = await first.call('write_page', write);
  await first.close();
  rmSync(join(directory, 'main.git/pagetree/chain-main', before));
  const second = await open();
  await second.call('write_page', { path: 'Other', content: 'other\n' });
  await second.close();
  const third = await open();
  await third.call('maintain_wiki', { mode: 'repair' });
  expect(await third.call('write_page', write)).toEqual(answer);
});
