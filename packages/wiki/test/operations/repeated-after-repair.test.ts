import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { callOperation, type OperationName } from '../../src/contract/index.ts';
import { openWiki } from '../../src/index.ts';
import { temporaryDirectory } from '../native-git.ts';

it.each([
  ['another page', 'Other', 'start\none more line\n'],
  ['the same page', 'Log', 'start\nof another\n'],
])(
  'an agent repeats a call whose commit a repair merged with a change of %s, and gets no second line',
  async (_, other, content) => {
    const directory = temporaryDirectory();
    const first = await open(directory);
    const { commit } = await first.call('write_page', { path: 'Log', content: 'start\n' });
    const append = { path: 'Log', text: 'one more line\n', request_id: 'mine' };
    await first.call('append_to_page', append);
    await first.close();
    rmSync(join(directory, 'main.git/pagetree/chain-main', `${commit}`));
    const second = await open(directory);
    await second.call('append_to_page', { path: other, text: 'of another\n' });
    await second.call('read_page', { path: 'Log' });
    const third = await open(directory);
    expect(await third.call('maintain_wiki', { mode: 'repair' })).toMatchObject({ order_restored: true });
    for (const process of [second, third]) {
      const again = process.call('append_to_page', append);
      await expect(again).rejects.toMatchObject({ code: 'write_state_unknown' });
      expect(await process.call('read_page', { path: 'Log' })).toMatchObject({ content });
    }
  },
);

async function open(directory: string) {
  const caller = { author: { name: 'Ada', email: 'ada@example.org' }, agent: 'agent/1' };
  const host = { backend: 'lambda', versions: {}, problems: [] };
  const { wiki, close } = await openWiki({ directory, wiki: null, placement: 'shared', host });
  onTestFinished(close);
  const call = async (operation: OperationName, input: object): Promise<Record<string, unknown>> =>
    callOperation(wiki, operation, { wiki: 'main', ...input } as never, { caller }) as never;
  return { call, close };
}
