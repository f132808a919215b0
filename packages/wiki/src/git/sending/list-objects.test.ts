import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bareRepository, git } from '../../../test/native-git.ts';
import { nodeFileSystem } from '../../storage/files/node-file-system.ts';
import { ObjectStore } from '../../storage/objects/object-store.ts';
import { Objects } from '../objects.ts';
import { LastList } from './last-list.ts';
import { EVERYTHING, ObjectList } from './list-objects.ts';
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
      const { objects } = await inRepository(directory, (store) => listed(store, tip, haves));
      const oids = objects.map(({ oid }) => oid);
      expect(new Set(oids).size).toBe(oids.length);
      const reached = reachedBy(directory, tip);
      const needed = reachedBy(directory, tip, ...haves.map((oid) => `^${oid}`));
      expect(needed.filter((oid) => !oids.includes(oid))).toEqual([]);
      // What the client has is sent again only where a file or folder came back.
      expect(oids.filter((oid) => !reached.includes(oid))).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test('a list that goes on from that of an earlier head is the list of a walk of all', async () => {
  const directory = bareRepository();
  let continued = 0;
  await fc.assert(
    fc.asyncProperty(histories, fc.nat(), async (history, at) => {
      const commits = make(directory, history);
      const [before = '', tip = ''] = [commits[at % commits.length], commits.at(-1)];
      await inRepository(directory, async (store) => {
        const last = new LastList();
        last.keep(before, await listed(store, before));
        const list = new ObjectList(store, EVERYTHING);
        if (!(await last.continueTo(tip, list, store, undefined))) return expect(list.objects).toEqual([]);
        continued += 1;
        const oids = list.objects.map(({ oid }) => oid);
        expect(oids).toEqual((await listed(store, tip)).objects.map(({ oid }) => oid));
        for (const [number, { basis }] of list.objects.entries())
          if (basis !== null) expect(oids.slice(0, number)).toContain(basis);
      });
    }),
    { numRuns: 100 },
  );
  expect(continued).toBeGreaterThan(20);
});

async function inRepository<Result>(directory: string, act: (objects: Objects) => Promise<Result>) {
  const store = new ObjectStore({ fs: nodeFileSystem, gitDirectory: directory, cacheBytes: 1_000_000 });
  try {
    return await act(new Objects(store, 1_000_000));
  } finally {
    await store.close();
  }
}

async function listed(objects: Objects, tip: string, haves: readonly string[] = []): Promise<ObjectList> {
  const options = { objects, wants: [tip], haves, shallow: new Set<string>(), signal: undefined };
  const { sent, isHad } = await walkCommits({ ...options, isCut: () => false });
  const list = new ObjectList(objects, EVERYTHING);
  for (const commit of sent) await list.addCommit(commit, isHad);
  return list;
}

function reachedBy(directory: string, ...revisions: string[]): string[] {
  return git(directory, ['rev-list', '--objects', '--no-object-names', ...revisions]).split('\n');
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
