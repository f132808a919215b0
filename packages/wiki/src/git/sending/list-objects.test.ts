import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampled } from '../../../../../labs/sample.ts';
import { bareRepository, git } from '../../../test/native-git.ts';
import { makeHistory, undoneHistories } from '../../../test/undone-histories.ts';
import { nodeFileSystem } from '../../storage/files/node-file-system.ts';
import { ObjectStore } from '../../storage/objects/object-store.ts';
import { Objects } from '../objects.ts';
import { LastList } from './last-list.ts';
import { EVERYTHING, ObjectList } from './list-objects.ts';
import { walkCommits } from './walk-commits.ts';

test('a list has all that commits reach and the client lacks, each object once, whatever was undone', async () => {
  const directory = bareRepository();
  await fc.assert(
    fc.asyncProperty(undoneHistories, fc.nat(), async (history, had) => {
      const commits = makeHistory(directory, history);
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
    { numRuns: sampled(250, 30) },
  );
});

test('a list that goes on from that of an earlier head is the list of a walk of all', async () => {
  const directory = bareRepository();
  let continued = 0;
  await fc.assert(
    fc.asyncProperty(undoneHistories, fc.nat(), async (history, at) => {
      const commits = makeHistory(directory, history);
      const [before = '', tip = ''] = [commits[at % commits.length], commits.at(-1)];
      await inRepository(directory, async (store) => {
        const last = new LastList({ read: async () => null, keep: async () => undefined });
        await last.keep(before, await listed(store, before));
        const list = new ObjectList(store, EVERYTHING);
        if (!(await last.continueTo(tip, list, store, undefined))) return expect(list.objects).toEqual([]);
        continued += 1;
        const oids = list.objects.map(({ oid }) => oid);
        expect(list.objects).toEqual((await listed(store, tip)).objects);
        for (const [number, { basis }] of list.objects.entries())
          if (basis !== null) expect(oids.slice(0, number)).toContain(basis);
      });
    }),
    { numRuns: sampled(250, 100) },
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
