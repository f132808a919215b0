import fc from 'fast-check';
import { expect } from 'vitest';
import type { Repository } from '../../src/core/ports.ts';
import { scanIndex } from '../../src/search/scan-index.ts';
import { bareRepository, git, temporaryDirectory } from '../native-git.ts';
import { openTestRepository } from '../test-repository.ts';
import { pagePaths, type Step, steps, take } from './random-wiki.ts';
import { expectSameAnswers } from './same-answers.ts';
import { openTestIndexes } from './test-indexes.ts';

const paths = [...pagePaths.map((path) => path.replace(/\.md$/, '')), 'C', 'beside-note', 'Never'];

function external(path: string): Extract<Step, { kind: 'external' }> {
  return { kind: 'external', path, content: 'Once, see [[Note]].\n', seconds: 1_700_000_000, merge: null };
}

function written(path: string): Step {
  return { kind: 'write', path, content: '' };
}

/** After any history every answer is the one that git alone gives, from an index caught up and from one built anew. */
export async function expectEqualToGit(parameters: { numRuns: number; seed?: number }): Promise<void> {
  const indexes = await openTestIndexes();
  const snapshotDirectory = temporaryDirectory();
  const openIndex = (repository: Repository) =>
    indexes.open({ repository, snapshotDirectory, readOnly: false });
  await fc.assert(
    fc.asyncProperty(steps, fc.nat(), fc.nat(), async (history, middle, older) => {
      const directory = bareRepository();
      const repository = await openTestRepository(directory);
      const judge = scanIndex(repository);
      const caughtUp = openIndex(repository);
      for (const [at, step] of history.entries()) {
        const head = await take(repository, directory, step);
        if (head === null) continue;
        await caughtUp.catchUp(head);
        if (at === middle % history.length) await expectSameAnswers(caughtUp, judge, head, paths);
      }
      const head = (await repository.head()).commit;
      if (head === null) return;
      await expectSameAnswers(caughtUp, judge, head, paths);
      await expectSameAnswers(openIndex(repository), judge, head, paths);
      const commits = git(directory, ['rev-list', head]).split('\n');
      const pinned = commits[older % commits.length] ?? head;
      await expectSameAnswers(caughtUp, judge, pinned, paths);
      expect(await caughtUp.paths(head)).toEqual(await judge.paths(head));
    }),
    {
      ...parameters,
      examples: [
        // Totals of the two pages as of the second commit: FTS5's own are those of the third.
        [[written('Home.md'), written('日本/ページ.md'), written('note.md')], 0, 1],
        [[external('Über.md'), external('U\u0308ber.md'), { kind: 'delete', page: 1 }], 1, 0],
        // A merge after which git log lists a parent before its child, since their clocks differ.
        [
          [
            { kind: 'write', path: 'Über.md', content: '' },
            { ...external('U\u0308ber.md'), seconds: 1_699_999_990 },
            { ...external('Home.md'), seconds: 1_699_999_996, merge: 1 },
          ],
          0,
          0,
        ],
      ],
    },
  );
}
