import { describe, expect, test } from 'vitest';
import type { Output } from '../../../src/contract/operations.ts';
import { type Backend, openTestWiki, type TestWiki } from '../test-wiki.ts';

/** blame_page, with `git blame` as the judge. */
export function blameSuite(backend: Backend): void {
  describe('blame_page', () => {
    test('gives author, agent, date and reason of each block', async () => {
      const wiki = await openTestWiki(backend, { 'Old.md': '# Plan\n\nFirst paragraph,\nof two lines.\n' });
      await wiki.as('Bob', 'claude/2').run('edit_page', {
        path: 'Old',
        edits: [{ old_string: 'of two lines.', new_string: 'of two good lines.' }],
        message: 'Say that they are good',
      });
      await wiki.as('Ada', null).run('move_page', { path: 'Old', new_path: 'New/Name' });
      const content = '```js\none();\n\ntwo();\n```';
      await wiki
        .as('Grace', 'agent/1')
        .run('append_to_page', { path: 'New/Name', content, message: 'Add code' });

      const answer = await wiki.run('blame_page', { path: 'New/Name' });

      expect(shown(answer)).toEqual([
        [1, 1, '# Plan', [['Begin', 1]]],
        [
          3,
          4,
          'First paragraph,',
          [
            ['Say that they are good', 1],
            ['Begin', 1],
          ],
        ],
        [5, 9, '```js', [['Add code', 5]]],
      ]);
      expect(answer.commits.find(({ message }) => message === 'Say that they are good')).toMatchObject({
        author: 'Bob <Bob@example.org>',
        agent: 'claude/2',
        path: 'Old',
      });
      expect(answer).toMatchObject({ path: 'New/Name', stopped_at: null, next_start_line: null });
      await expectAsGit(wiki, 'New/Name', answer);
    });

    test('gives the authors of an old version as of that version', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': 'one\n' });
      const { commit } = await wiki.run('append_to_page', { path: 'P', content: 'two', message: 'Two' });
      await wiki.run('edit_page', { path: 'P', edits: [{ old_string: 'two', new_string: '2' }] });
      const then = await wiki.run('blame_page', { path: 'P', at: commit ?? '' });
      expect(shown(then)).toEqual([
        [
          1,
          2,
          'one',
          [
            ['Two', 1],
            ['Begin', 1],
          ],
        ],
      ]);
      expect(then.commit).toBe(commit);
      expect((await wiki.refused('blame_page', { path: 'None' })).code).toBe('not_found');
      expect((await wiki.refused('blame_page', { path: 'P', at: 'xyz' })).code).toBe('invalid_input');
    });

    test('equals git blame after many edits and moves', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': paragraphs(0, 12) });
      let path = 'P';
      for (let round = 1; round <= 12; round += 1) {
        const content = (await wiki.content(path)).split('\n\n');
        content.splice((round * 7) % content.length, round % 3, paragraphs(round, 1 + (round % 2)).trim());
        const { version } = await wiki.run('read_page', { path });
        await wiki.run('write_page', { path, content: `${content.join('\n\n').trim()}\n`, version });
        if (round % 4 !== 0) continue;
        await wiki.run('move_page', { path, new_path: `Moved ${round}` });
        path = `Moved ${round}`;
      }
      await expectAsGit(wiki, path, await wiki.run('blame_page', { path }));
    });

    test('gives a long page in parts that each fit into a reply', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': '"quoted" line\n\n'.repeat(1_000) });
      const blocks = [];
      for (let start_line: number | null = 1; start_line !== null; ) {
        const part: Output<'blame_page'> = await wiki.run('blame_page', { path: 'P', start_line });
        expect(JSON.stringify(part).length).toBeLessThanOrEqual(40_000);
        blocks.push(...part.blocks);
        start_line = part.next_start_line;
      }
      expect(blocks.map(({ start_line }) => start_line)).toEqual(
        Array.from({ length: 1_000 }, (_, at) => 2 * at + 1),
      );
    });

    test('refuses a page with very many lines', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': '\n'.repeat(40_001) });
      expect((await wiki.refused('blame_page', { path: 'P' })).code).toBe('too_large');
    });
  });
}

/** Blame of pushed merges: on a shared mount only Pagetree moves the branch. */
export function blameOfMergesSuite(backend: Backend): void {
  test.each(['first', 'last'])(
    'blame_page reports which side of a merge wrote a line, as git blame does, if the %s parent won',
    async (place) => {
      const wiki = await openTestWiki(backend, {
        'P.md': 'a\n\nb\n\nc\n\nd\n',
        'Ours.md': 'a by us\n\nb\n\nc\n\nd\n',
        'Theirs.md': 'a\n\nb\n\nc by them\n\nd\n',
        'Both.md': 'a by us\n\nb merged\n\nc by them\n\nd\n',
        'Lost.md': 'a by us\n\nb merged\n\nc by them\n\nlost\n',
        'Won.md': 'a by us\n\nb merged\n\nc by them\n\nwon\n',
      });
      const base = (await wiki.head()) ?? '';
      const commit = async (contentOf: string, ...parents: string[]) => {
        await wiki.git('read-tree', base);
        const blob = await wiki.git('rev-parse', `${base}:${contentOf}.md`);
        await wiki.git('update-index', '--cacheinfo', `100644,${blob},P.md`);
        const named = parents.flatMap((parent) => ['-p', parent]);
        return wiki.git('commit-tree', ...named, '-m', contentOf, await wiki.git('write-tree'));
      };
      const both = await commit('Both', await commit('Ours', base), await commit('Theirs', base));
      const sides = [await commit('Won', both), await commit('Lost', both)];
      const merge = await commit('Won', ...(place === 'first' ? sides : sides.toReversed()));
      await wiki.git('update-ref', 'refs/heads/main', merge);

      const answer = await wiki.run('blame_page', { path: 'P' });

      const writers = answer.blocks.map(({ by }) => messageOf(answer, by[0]?.commit));
      expect(writers).toEqual(['Ours', 'Both', 'Theirs', 'Won']);
      await expectAsGit(wiki, 'P', answer);
    },
  );
}

type Answer = Output<'blame_page'>;

function shown(answer: Answer) {
  return answer.blocks.map(({ start_line, end_line, beginning, by }) => [
    start_line,
    end_line,
    beginning,
    by.map(({ commit, lines }) => [messageOf(answer, commit), lines]),
  ]);
}

function messageOf({ commits }: Answer, oid: string | null | undefined): string | undefined {
  return commits.find(({ commit }) => commit === oid)?.message;
}

async function expectAsGit(wiki: TestWiki, path: string, { blocks }: Answer): Promise<void> {
  const reported = await wiki.git('blame', '--porcelain', 'main', '--', `${path}.md`);
  const byLine = new Map(
    [...reported.matchAll(/^([0-9a-f]{40}) \d+ (\d+)/gm)].map(([, commit = '', line]) => [
      Number(line),
      commit,
    ]),
  );
  expect(blocks.length).toBeGreaterThan(0);
  for (const { start_line, end_line, by } of blocks) {
    const counts = new Map<string, number>();
    for (let line = start_line; line <= end_line; line += 1) {
      const commit = byLine.get(line) ?? '';
      counts.set(commit, (counts.get(commit) ?? 0) + 1);
    }
    expect(new Map(by.map(({ commit, lines }) => [commit, lines])), `line ${start_line}`).toEqual(counts);
  }
}

function paragraphs(round: number, count: number): string {
  return Array.from(
    { length: count },
    (_, at) => `Line ${at} of ${round},\nand one more ${round}.${at}.\n\n`,
  ).join('');
}
