import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampled } from '../../../../../labs/sample.ts';
import { bareRepository, git, gitBytes, temporaryDirectory } from '../../../test/native-git.ts';
import { openTestIndexes } from '../../../test/search/test-indexes.ts';
import { openTestRepository } from '../../../test/test-repository.ts';
import { scanIndex } from '../scan-index.ts';

const PAGES = ['A.md', 'in/B.md'];
const page = fc.constantFrom(...PAGES);
const seconds = fc.integer({ min: 1_700_000_000, max: 1_700_000_020 });

/** A commit on the head that changes a page, settles a conflict, or merges a commit beside it and keeps the page. */
const step = fc.record({
  kind: fc.constantFrom('change' as const, 'settle' as const, 'merge' as const, 'merge' as const),
  page,
  seconds,
  fork: fc.nat(),
  side: fc.record({ kind: fc.constantFrom('change' as const, 'settle' as const), page, seconds }),
});
type Step = typeof step extends fc.Arbitrary<infer Made> ? Made : never;

test('the open conflicts are those that git alone finds, caught up or rebuilt, as of any commit', async () => {
  const indexes = await openTestIndexes();
  let [found, settled] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 9 }), fc.nat(), async (steps, past) => {
      const directory = bareRepository();
      const commit = committer(directory);
      let head = commit([], { 'A.md': 'a', 'in/B.md': 'b' }, { message: 'first', seconds: 1_700_000_000 });
      const repository = await openTestRepository(directory);
      const judge = scanIndex(repository);
      const open = () =>
        indexes.open({ repository, snapshotDirectory: temporaryDirectory(), readOnly: false });
      const caughtUp = open();
      const heads = [head];
      for (const each of steps) {
        head = take(directory, commit, head, each);
        heads.push(head);
        expect((await repository.head()).commit).toBe(head);
        const wanted = await judge.conflicts(head);
        expect(await caughtUp.conflicts(head)).toEqual(wanted);
        found += wanted.length;
        if (each.kind !== 'merge' && wanted.length === 0) settled += 1;
      }
      const rebuilt = open();
      for (const at of [head, heads[past % heads.length] ?? head]) {
        for (const folders of [undefined, ['in/']]) {
          const wanted = await judge.conflicts(at, folders);
          expect(await rebuilt.conflicts(at, folders)).toEqual(wanted);
          expect(await caughtUp.conflicts(at, folders)).toEqual(wanted);
          for (const { path, merge } of wanted) {
            const named = [rebuilt, rebuilt.atOnce, judge].map((index) => index.conflictOf(at, path));
            expect(await Promise.all(named)).toEqual([merge, merge, merge]);
          }
        }
        const never = [rebuilt, judge].map((index) => index.conflictOf(at, 'Never'));
        expect(await Promise.all(never)).toEqual([null, null]);
      }
    }),
    { numRuns: sampled(25, 6) },
  );
  expect(found).toBeGreaterThan(5);
  expect(settled).toBeGreaterThan(0);
});

type Committer = ReturnType<typeof committer>;

function committer(directory: string) {
  let texts = 0;
  return (
    parents: readonly string[],
    files: Record<string, string>,
    { message, seconds }: { message: string; seconds: number },
  ): string => {
    const date = `${seconds} +0000`;
    const env = {
      GIT_INDEX_FILE: `${directory}/index-of-test`,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_DATE: date,
    };
    const run = (args: string[], input = '') => gitBytes(directory, args, { input, env }).toString().trim();
    run(parents[0] === undefined ? ['read-tree', '--empty'] : ['read-tree', parents[0]]);
    for (const [path, content] of Object.entries(files)) {
      texts += 1;
      const blob = run(['hash-object', '-w', '--stdin'], `${content} ${texts}\n`);
      run(['update-index', '--add', '--cacheinfo', `100644,${blob},${path}`]);
    }
    const commit = run(
      ['commit-tree', ...parents.flatMap((parent) => ['-p', parent]), '-F', '-', run(['write-tree'])],
      message,
    );
    run(['update-ref', 'refs/heads/main', commit]);
    return commit;
  };
}

function take(
  directory: string,
  commit: Committer,
  head: string,
  { kind, page, seconds, fork, side }: Step,
): string {
  const one = (parent: string, { kind, page, seconds }: Step['side']) =>
    kind === 'change'
      ? commit([parent], { [page]: 'changed' }, { message: 'change', seconds })
      : commit([parent], {}, { message: `Keep\n\nSettled: ${page}\n`, seconds });
  if (kind !== 'merge') return one(head, { kind, page, seconds });
  const known = git(directory, ['rev-list', head]).trim().split('\n');
  const theirs = one(known[fork % known.length] ?? head, side);
  const message = `Merge\n\nConflict: ${page}\nRequest-Id: merged-commit-${theirs}\nRequest-Digest: x\nNonce: x\n`;
  return commit([head, theirs], {}, { message, seconds });
}
