import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { branches, commit, DAY, histories, line, madeOf } from '../../../test/fetched-histories.ts';
import { EVERYTHING, fetchInto, part, store } from '../../../test/fetched-packs.ts';
import { bareRepository, git } from '../../../test/native-git.ts';
import { openTestRepository } from '../../../test/test-repository.ts';
import type { FetchRequest } from '../../core/transport-port.ts';
import type { Oid } from '../../formats/oid.ts';

describe('a fetch', () => {
  test('of random histories gives a client that has some of it exactly what git needs', async () => {
    await fc.assert(
      fc.asyncProperty(
        histories,
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 40, max: 20_000 }),
        async (...drawn) => {
          const [history, wanted, had, partBytes] = drawn;
          const { directory, commits } = madeOf(history);
          const repository = await openTestRepository(directory);
          const want = commits[wanted % commits.length] ?? '';
          const have = had % 3 === 0 ? null : (commits[had % commits.length] ?? '');
          const client = clientWith(directory, have);
          const haves = have === null ? [] : [have, 'f'.repeat(40)];
          await fetchInto(client, repository, { wants: [want], haves }, partBytes);
          git(client, ['update-ref', 'refs/heads/fetched', want]);
          git(client, ['fsck', '--strict', '--full']);
        },
      ),
      { numRuns: 25 },
    );
  });

  test('gives what a folder has that is again as it was', async () => {
    const { directory, tip } = madeOf([
      { parents: [], files: { 'A.md': 'one' }, day: 1 },
      { parents: [0], files: { 'B.md': 'two' }, day: 2 },
      { parents: [1], files: { 'B.md': null }, day: 3 },
    ]);
    const client = bareRepository();
    await fetchInto(client, await openTestRepository(directory), { wants: [tip] });
    git(client, ['update-ref', 'refs/heads/main', tip]);
    expect(git(client, ['rev-list', '--objects', tip])).toBe(git(directory, ['rev-list', '--objects', tip]));
  });

  test('of folders that hold one another a million times over compares each of them once', async () => {
    const directory = bareRepository();
    const [first, second] = ['one', 'two'].map((content) => bomb(directory, content)) as [Oid, Oid];
    const parent = git(directory, ['commit-tree', '-m', 'One', first]).trim();
    const tip = git(directory, ['commit-tree', '-m', 'Two', '-p', parent, second]).trim();
    git(directory, ['update-ref', 'refs/heads/main', tip]);
    const repository = await openTestRepository(directory);
    const { pack } = await repository.sending.plan({ ...EVERYTHING, wants: [tip] }, {});
    expect(pack?.objects).toBe(2 * (1 + 20 + 1));
  });

  test('of a commit that the client has, with others of the same second behind it, gives nothing', async () => {
    const directory = bareRepository();
    const commits: Oid[] = [];
    for (const text of ['one', 'two', 'three', 'four'])
      commits.push(commit(directory, commits.slice(-1), { 'A.md': text }, 1));
    git(directory, ['update-ref', 'refs/heads/main', commits.at(-1) ?? '']);
    const repository = await openTestRepository(directory);
    for (const [at, want] of commits.entries()) {
      const asked = { wants: [want], haves: commits.slice(-1) };
      const { pack } = await repository.sending.plan({ ...EVERYTHING, ...asked }, {});
      expect([at, pack?.objects]).toEqual([at, 0]);
    }
  });

  test('of everything gives each object once, as git counts them', async () => {
    const { directory, tip } = branches();
    const repository = await openTestRepository(directory);
    const client = bareRepository();
    const sent = await fetchInto(client, repository, { wants: [tip] });
    expect(sent).toBe(Number(git(directory, ['rev-list', '--objects', '--count', tip])));
    git(client, ['update-ref', 'refs/heads/main', tip]);
    git(client, ['fsck', '--strict']);
    expect(git(client, ['rev-list', '--objects', tip])).toBe(git(directory, ['rev-list', '--objects', tip]));
  });

  test('of everything behind a shallow clone completes what the client has of other branches too', async () => {
    const { directory, commits } = branches();
    const [, side = '', main = ''] = commits;
    const repository = await openTestRepository(directory);
    const whole = { wants: [main], haves: [side, main], shallow: [side, main], depth: 2 ** 31 - 1 };
    const plan = await repository.sending.plan({ ...EVERYTHING, ...whole }, {});
    expect(plan).toMatchObject({ shallow: [], unshallow: [side, main] });
  });

  test('of a client that has left is given up before its history is walked', async () => {
    const { directory, tip } = branches();
    const repository = await openTestRepository(directory);
    const asked = { ...EVERYTHING, wants: [tip], isFinal: false };
    for (const depth of [null, 100]) {
      const planned = repository.sending.plan({ ...asked, depth }, { signal: AbortSignal.abort() });
      await expect(planned).rejects.toThrow();
    }
  });

  test('of one change to a long page sends a delta on the page that the client has', async () => {
    const directory = bareRepository();
    const text = Array.from(
      { length: 400 },
      (_, at) => `The line ${at} of ${createHash('md5').update(`${at}`).digest('hex')}`,
    );
    const [first, second] = [
      text.join('\n'),
      [...text.slice(0, 200), 'A new line', ...text.slice(200)].join('\n'),
    ];
    const before = commit(directory, [], { 'Page.md': first }, 1);
    const tip = commit(directory, [before], { 'Page.md': second }, 2);
    git(directory, ['update-ref', 'refs/heads/main', tip]);
    const repository = await openTestRepository(directory);
    const asked = { wants: [tip], haves: [before] };
    const thin = await repository.sending.plan({ ...EVERYTHING, ...asked }, {});
    const { entries, next } = await part(thin);
    expect(next).toMatchObject({ object: 3, byte: 0 });
    expect(entries.length).toBeLessThan(600);
    const whole = await repository.sending.plan({ ...EVERYTHING, ...asked, mayBeThin: false }, {});
    expect((await part(whole)).entries.length).toBeGreaterThan(4_000);
  });

  test('of fewer commits than there are names where it ends, and can go on from there', async () => {
    const { directory, tip, commits } = line(6);
    const repository = await openTestRepository(directory);
    const client = bareRepository();
    const [, , third, fourth, fifth] = commits;
    const shallow = await repository.sending.plan({ ...EVERYTHING, wants: [tip], depth: 2 }, {});
    expect(shallow).toMatchObject({ shallow: [fifth], unshallow: [] });
    await store(client, shallow);
    const deeper = { haves: [tip], wants: [tip], shallow: [fifth ?? ''] };
    const deepened = await repository.sending.plan(
      { ...EVERYTHING, ...deeper, depth: 2, fromShallow: true },
      {},
    );
    expect(deepened).toMatchObject({ shallow: [third], unshallow: [fifth] });
    expect(deepened.pack?.objects).toBe(6);
    const [byDepth, all] = await Promise.all(
      [4, 1_000].map((depth) => repository.sending.plan({ ...EVERYTHING, ...deeper, depth }, {})),
    );
    expect(byDepth).toMatchObject({ shallow: [third], unshallow: [fifth] });
    expect(all).toMatchObject({ shallow: [], unshallow: [fifth] });
    expect(all?.pack?.objects).toBe(12);
    const since = await repository.sending.plan({ ...EVERYTHING, wants: [tip], since: DAY * 4 }, {});
    expect(since).toMatchObject({ shallow: [fourth], unshallow: [] });
  });

  test('by a filter leaves out blobs and trees, but none that is asked for by its id', async () => {
    const { directory, tip } = line(3);
    const repository = await openTestRepository(directory);
    const objectsBy = async (filter: FetchRequest['filter'], wants = [tip]) =>
      (await repository.sending.plan({ ...EVERYTHING, wants, filter }, {})).pack?.objects;
    expect(await objectsBy({ blobBytes: 0, trees: false })).toBe(6);
    expect(await objectsBy({ blobBytes: 0, trees: true })).toBe(3);
    expect(await objectsBy({ blobBytes: 6, trees: false })).toBe(6);
    expect(await objectsBy({ blobBytes: 7, trees: false })).toBe(9);
    const blob = git(directory, ['rev-parse', `${tip}:Page.md`]);
    expect(await objectsBy({ blobBytes: 0, trees: true }, [blob])).toBe(1);
  });

  test('of a tag gives the tag, and what it names', async () => {
    const { directory, tip } = line(2);
    git(directory, ['tag', '-a', '-m', 'One', 'v1', tip]);
    git(directory, ['tag', '-a', '-m', 'Of a tag', 'v2', 'v1']);
    git(directory, ['pack-refs', '--all']);
    // By UTF-16 units, the second would come first.
    for (const name of ['light', 'ｆ', '🎉']) git(directory, ['tag', name, tip]);
    const repository = await openTestRepository(directory);
    const { head, refs } = await repository.sending.refs();
    expect(head).toBe('refs/heads/main');
    const shown = git(directory, ['show-ref', '--heads', '--tags', '--dereference']).split('\n');
    expect(
      refs.flatMap(({ name, oid, peeled }) => [
        `${oid} ${name}`,
        ...(peeled ? [`${peeled} ${name}^{}`] : []),
      ]),
    ).toEqual(shown);
    const v2 = git(directory, ['rev-parse', 'v2']);
    expect((await repository.sending.plan({ ...EVERYTHING, wants: [v2] }, {})).pack?.objects).toBe(8);
  });

  test('waits for more commits while it came to the beginning of the history', async () => {
    const { directory, tip, commits } = line(4);
    const repository = await openTestRepository(directory);
    const unknown = ['a'.repeat(40)];
    const early = await repository.sending.plan(
      { ...EVERYTHING, wants: [tip], haves: unknown, isFinal: false },
      {},
    );
    expect(early).toMatchObject({ common: [], pack: null });
    const haves = [...unknown, commits[2] ?? ''];
    const enough = await repository.sending.plan({ ...EVERYTHING, wants: [tip], haves, isFinal: false }, {});
    expect(enough).toMatchObject({ common: [commits[2]], pack: { objects: 3 } });
    await expect(repository.sending.plan({ ...EVERYTHING, wants: unknown }, {})).rejects.toThrow(
      /^not_found/,
    );
  });
});

function clientWith(directory: string, have: Oid | null): string {
  const client = bareRepository();
  if (have !== null) git(client, ['fetch', '--quiet', `file://${directory}`, `${have}:refs/heads/have`]);
  return client;
}

/** A tree with 2 ** 20 files of one content. */
function bomb(directory: string, content: string): Oid {
  let [mode, oid] = ['100644 blob', git(directory, ['hash-object', '-w', '--stdin'], content)];
  for (let depth = 0; depth < 20; depth += 1) {
    oid = git(directory, ['mktree'], `${mode} ${oid}\tA\n${mode} ${oid}\tB\n`);
    mode = '040000 tree';
  }
  return oid;
}
