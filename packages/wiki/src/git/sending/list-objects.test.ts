import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bareRepository, git } from '../../../test/native-git.ts';
import { nodeFileSystem } from '../../storage/files/node-file-system.ts';
import { ObjectStore } from '../../storage/objects/object-store.ts';
import { Objects } from '../objects.ts';
import { ObjectList } from './list-objects.ts';
import { walkCommits } from './walk-commits.ts';

interface MadeCommit {
  /** The number of an earlier commit that is merged. */
  merged: number | null;
  files: Record<string, string | null>;
}

/** Few files that come and go, so that folders are often again as they were. */
const histories = fc.array(
  fc.record({
    merged: fc.option(fc.nat(), { freq: 3 }),
    files: fc.dictionary(
      fc.constantFrom('A.md', 'notes/B.md', 'notes/C.md', 'notes/deep/D.md'),
      fc.constantFrom('one', null),
      { minKeys: 1, maxKeys: 2 },
    ),
  }),
  { minLength: 3, maxLength: 8 },
);

test('a list has all that commits reach and the client lacks, each object once, whatever was undone', async () => {
  const directory = bareRepository();
  await fc.assert(
    fc.asyncProperty(histories, fc.nat(), async (history, had) => {
      const commits = make(directory, history);
      const tip = commits.at(-1) ?? '';
      const haves = commits.slice(0, -1).filter((_, at) => at === had % (commits.length * 2));
      const store = new ObjectStore({ fs: nodeFileSystem, gitDirectory: directory, cacheBytes: 1_000_000 });
      const listed = await list(new Objects(store, 1_000_000), tip, haves);
      await store.close();
      const needed = git(directory, [
        'rev-list',
        '--objects',
        '--no-object-names',
        tip,
        ...haves.map((oid) => `^${oid}`),
      ]);
      expect(new Set(listed).size).toBe(listed.length);
      const lacking = needed.split('\n').filter((oid) => !listed.includes(oid));
      expect(lacking).toEqual([]);
      // What the client has is sent again only where a file or folder came back.
      const reached = git(directory, ['rev-list', '--objects', '--no-object-names', tip]).split('\n');
      expect(listed.filter((oid) => !reached.includes(oid))).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

async function list(objects: Objects, tip: string, haves: readonly string[]): Promise<string[]> {
  const options = { objects, wants: [tip], haves, shallow: new Set<string>(), signal: undefined };
  const { sent, isHad } = await walkCommits({ ...options, isCut: () => false });
  const whole = { leavesOutTrees: false, leavesOutBlob: async () => false, mayBeThin: false };
  const found = new ObjectList(objects, whole);
  for (const commit of sent) await found.addCommit(commit, isHad);
  return found.objects.map(({ oid }) => oid);
}

/** Has native git make the commits, each on the one before, and returns their oids in order. */
function make(directory: string, history: readonly MadeCommit[]): string[] {
  const lines = history.flatMap(({ merged, files }, at) => [
    'commit refs/heads/main',
    `mark :${at + 1}`,
    `committer A. Writer <writer@example.org> ${1_000_000_000 + at} +0000`,
    `data ${`${at}`.length}`,
    `${at}`,
    ...(at === 0 ? [] : [`from :${at}`]),
    ...(merged === null || at < 2 ? [] : [`merge :${(merged % (at - 1)) + 1}`]),
    ...(at === 0 ? ['deleteall'] : []),
    ...Object.entries(files).flatMap(([path, content]) =>
      content === null ? [`D ${path}`] : [`M 100644 inline ${path}`, `data ${content.length}`, content],
    ),
  ]);
  const marks = history.map((_, at) => `get-mark :${at + 1}`);
  const input = ['reset refs/heads/main', ...lines, ...marks].join('\n');
  return git(directory, ['fast-import', '--quiet', '--force'], input).split('\n');
}
