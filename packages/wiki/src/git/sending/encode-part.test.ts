import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commit, longHistory } from '../../../test/fetched-histories.ts';
import { EVERYTHING, fetchInto, part, store } from '../../../test/fetched-packs.ts';
import { bareRepository, git } from '../../../test/native-git.ts';
import { openTestRepository } from '../../../test/test-repository.ts';
import { BEGINNING } from '../../core/transport-port.ts';
import type { Oid } from '../../formats/oid.ts';

describe('a fetch', () => {
  test('of many objects copies what packs hold, even if they are packed anew meanwhile', async () => {
    const { directory, tip, bytes } = longHistory();
    const repository = await openTestRepository(directory);
    const plan = await repository.sending.plan({ ...EVERYTHING, wants: [tip] }, {});
    const client = bareRepository();
    let parts = 0;
    await store(client, plan, 80_000, async (same) => {
      parts += 1;
      // Other deltas, and the packs of before are gone.
      if (parts === 2) git(directory, ['repack', '-adfq', '--window=50', '--depth=5']);
      return same;
    });
    expect(parts).toBeGreaterThan(4);
    git(client, ['update-ref', 'refs/heads/main', tip]);
    git(client, ['fsck', '--strict']);
    const whole = await repository.sending.plan({ ...EVERYTHING, wants: [tip], haves: ['e'.repeat(40)] }, {});
    expect((await part(whole)).entries.length).toBeLessThan(1.2 * bytes);
  });

  test('goes on in another process, where the deltas of packs have turned round meanwhile', async () => {
    const { directory, tip } = longHistory({ shrinks: true });
    const turned = await turnedPacks(directory, tip);
    const packs = join(directory, 'objects', 'pack');
    const planned = async () =>
      (await openTestRepository(directory)).sending.plan({ ...EVERYTHING, wants: [tip] }, {});
    const client = bareRepository();
    let parts = 0;
    await store(client, await planned(), 60_000, async () => {
      parts += 1;
      if (parts === 2) {
        rmSync(packs, { recursive: true });
        cpSync(turned, packs, { recursive: true });
      }
      return planned();
    });
    expect(parts).toBeGreaterThan(5);
    git(client, ['update-ref', 'refs/heads/main', tip]);
    git(client, ['fsck', '--strict']);
  });

  test('gets no larger a part for a place that a client made up', async () => {
    const { directory, tip } = longHistory();
    const { sending } = await openTestRepository(directory);
    const { pack } = await sending.plan({ ...EVERYTHING, wants: [tip] }, {});
    const made = await pack?.part({ ...BEGINNING, byte: 2 ** 28 - 1 }, 10_000);
    expect(made?.entries.length).toBeLessThanOrEqual(10_000);
  });

  test('gives no object that only a lost attempt has, even if a delta in the same pack rests on it', async () => {
    const { directory, tip } = longHistory();
    const shown = git(directory, ['show', `${tip}:notes/page-7.md`]);
    const lost = commit(directory, [tip], { 'notes/page-7.md': `${shown}\n${'lost '.repeat(9)}\n` }, 30);
    git(directory, ['update-ref', 'refs/kept/lost', lost]);
    git(directory, ['repack', '-adfq']);
    const blob = git(directory, ['rev-parse', `${lost}:notes/page-7.md`]);
    const packs = join(directory, 'objects', 'pack');
    const pack = readdirSync(packs).find((name) => name.endsWith('.idx')) ?? '';
    const isBase = git(directory, ['verify-pack', '-v', join(packs, pack)]).includes(` ${blob}\n`);
    expect(isBase).toBe(true);
    git(directory, ['update-ref', '-d', 'refs/kept/lost']);
    const client = bareRepository();
    await fetchInto(client, await openTestRepository(directory), { wants: [tip] });
    git(client, ['update-ref', 'refs/heads/main', tip]);
    git(client, ['fsck', '--strict']);
    const got = git(client, ['cat-file', '--batch-all-objects', '--batch-check=%(objectname)']);
    const needed = git(directory, ['rev-list', '--objects', '--no-object-names', tip]);
    expect(got.split('\n')).toEqual(needed.split('\n').sort());
  });
});

/** A directory of packs with the same objects, where older versions rest on newer ones. */
async function turnedPacks(directory: string, tip: Oid): Promise<string> {
  const [loose, turned] = [bareRepository(), bareRepository()];
  const packs = join(directory, 'objects', 'pack');
  const pack = readdirSync(packs).find((name) => name.endsWith('.pack')) ?? '';
  git(loose, ['unpack-objects', '-q'], readFileSync(join(packs, pack)));
  git(loose, ['update-ref', 'refs/heads/main', tip]);
  await fetchInto(turned, await openTestRepository(loose), { wants: [tip] });
  return join(turned, 'objects', 'pack');
}
