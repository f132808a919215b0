import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { damageInPack } from '../../../test/damaged-packs.ts';
import { manyCommits } from '../../../test/fetched-histories.ts';
import { EVERYTHING, fetchInto } from '../../../test/fetched-packs.ts';
import { bareRepository, git, gitBytes } from '../../../test/native-git.ts';
import { openTestRepository } from '../../../test/test-repository.ts';

test('a fetch of many commits gives each object once, as git counts them', async () => {
  const { directory, tip } = manyCommits(400);
  const sent = await fetchAll(directory, tip);
  expect(sent).toBe(Number(git(directory, ['rev-list', '--objects', '--count', tip])));
});

test('a fetch takes a sound copy of what is damaged in a pack, and fails if there is none', async () => {
  const { directory, tip } = manyCommits(400);
  const needed = Number(git(directory, ['rev-list', '--objects', '--count', tip]));
  const folder = git(directory, ['rev-parse', `${tip}~200:notes`]);
  const copies = bareRepository();
  git(copies, ['fetch', '--quiet', `file://${directory}`, 'main:main']);
  const lost = damageInPack(directory, folder);
  const planned = (await openTestRepository(directory)).sending.plan({ ...EVERYTHING, wants: [tip] }, {});
  await expect(planned).rejects.toThrow(/^internal/);

  for (const oid of lost) {
    const copy = gitBytes(copies, ['cat-file', 'tree', oid]);
    // Git itself does not store what it finds in a pack, damaged or not.
    const path = join(directory, 'objects', oid.slice(0, 2), oid.slice(2));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, deflateSync(Buffer.concat([Buffer.from(`tree ${copy.length}\0`), copy])));
  }
  expect(await fetchAll(directory, tip)).toBe(needed);
});

/** The number of objects that a client without any gets, and finds sound. */
async function fetchAll(directory: string, tip: string): Promise<number> {
  const client = bareRepository();
  const sent = await fetchInto(client, await openTestRepository(directory), { wants: [tip] });
  git(client, ['update-ref', 'refs/heads/main', tip]);
  git(client, ['fsck', '--strict']);
  return sent;
}
