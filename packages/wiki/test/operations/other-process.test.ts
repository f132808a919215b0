import { dirname } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openWiki } from '../../src/open-wiki.ts';
import { inProcess } from './local-backends.ts';
import { conflicted } from './suites/open-conflicts.suite.ts';
import { TestWiki } from './test-wiki.ts';

test('a process that did not merge finds the conflict wherever it waits for its index, and reads mention it from then on', async () => {
  const { wiki, theirs } = await conflicted(inProcess);
  for (const ask of [
    async (other: TestWiki) => (await other.run('view_page', { path: 'in/Both' })).page?.theirs_commit,
    async (other: TestWiki) =>
      (await other.run('view_conflict', { path: 'in/Both' })).conflict?.theirs_commit,
    async (other: TestWiki) =>
      (await other.run('check_wiki', { kinds: ['conflict'] })).findings.find(({ path }) => path === 'in/Both')
        ?.conflict?.theirs_commit,
  ]) {
    const other = await anotherProcess(wiki);
    const notes = async () => {
      const read = await other.run('read_page', { path: 'in/Both' });
      const { pages } = await other.run('read_pages', { paths: ['in/Both'] });
      return [read.note, pages[0]?.note ?? null];
    };
    // A read never waits for the index.
    expect(await notes()).toEqual([null, null]);
    expect(await ask(other)).toBe(theirs);
    expect(await notes()).toEqual([expect.stringContaining(theirs), expect.stringContaining(theirs)]);
  }
});

/** The same wiki as another process opens it: with nothing in memory, and an index of its own. */
async function anotherProcess(wiki: TestWiki): Promise<TestWiki> {
  const repository = (await wiki.git('rev-parse', '--absolute-git-dir')).trim();
  const host = { backend: 'local', versions: {}, problems: [] };
  const opened = await openWiki({ directory: dirname(repository), wiki: 'test', placement: 'local', host });
  onTestFinished(() => opened.close());
  return new TestWiki({ wiki: opened.wiki, git: () => '', settle: opened.settle });
}
