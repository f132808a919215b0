import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commit, manyCommits } from '../../../test/fetched-histories.ts';
import { EVERYTHING, fetchInto } from '../../../test/fetched-packs.ts';
import { bareRepository, git, temporaryDirectory } from '../../../test/native-git.ts';
import { countingFileSystem } from '../../../test/storage/file-systems/counting-file-system.ts';
import { FAULTS } from '../../../test/storage/file-systems/faulty-file-system.ts';
import { interceptedFileSystem } from '../../../test/storage/file-systems/intercepted-file-system.ts';
import { openTestRepository } from '../../../test/test-repository.ts';
import type { Oid } from '../../formats/oid.ts';
import { nodeFileSystem } from '../../storage/files/node-file-system.ts';

describe('the list of a clone', () => {
  test('serves other processes, and what was committed since comes with it', async () => {
    const { directory, tip } = manyCommits(COMMITS);
    const first = await planned(directory, tip);
    expect(existsSync(listIn(directory))).toBe(true);
    const next = commit(directory, [tip], { 'notes/page-1.md': 'Anew' }, COMMITS);
    const again = await planned(directory, tip);
    expect(again.objects).toBe(first.objects);
    expect(again.reads).toBeLessThan(first.reads / 10);
    const later = await planned(directory, next);
    expect(later.objects).toBe(first.objects + 4);
    expect(later.reads).toBeLessThan(first.reads / 10);
    await expectClone(directory, next);
  });

  test('stays for some commits, and is made anew for many, and for a merge', async () => {
    const { directory, tip } = manyCommits(COMMITS);
    await planned(directory, tip);
    const kept = readFileSync(listIn(directory));
    let later = tip;
    for (let at = 0; at < 3; at += 1) later = commit(directory, [later], { 'A.md': `${at}` }, COMMITS + at);
    await planned(directory, later);
    expect(readFileSync(listIn(directory))).toEqual(kept);
    const many = commitsAfter(directory, later, 150);
    await planned(directory, many);
    const keptAgain = readFileSync(listIn(directory));
    expect(keptAgain.length).toBeGreaterThan(kept.length);
    const merge = commit(directory, [many, tip], { 'A.md': 'merged' }, 2 * COMMITS);
    await planned(directory, merge);
    expect(readFileSync(listIn(directory)).length).toBeGreaterThan(keptAgain.length);
    await expectClone(directory, merge);
  });

  test('is made anew if it is damaged', async () => {
    const { directory, tip } = manyCommits(COMMITS);
    await planned(directory, tip);
    const kept = readFileSync(listIn(directory));
    for (const damaged of [kept.subarray(0, 5_000), Buffer.alloc(0), Buffer.from('{}')]) {
      writeFileSync(listIn(directory), damaged);
      await expectClone(directory, tip);
      expect(readFileSync(listIn(directory))).toEqual(kept);
    }
  });

  test('is made by maintenance, so that the first clone need not make it', async () => {
    const { directory, tip } = manyCommits(COMMITS);
    const { maintenance } = await openTestRepository(directory);
    await maintenance.tidy({ signal: AbortSignal.abort() });
    expect(existsSync(listIn(directory))).toBe(false);
    const { reads } = await planned(bareCopyOf(directory), tip);
    await maintenance.tidy({});
    expect((await planned(directory, tip)).reads).toBeLessThan(reads / 10);
    await expectClone(directory, tip);
  });

  test.each(['ENOSPC', 'EACCES', 'EIO'] as const)(
    'is not needed where the disk answers %s',
    async (error) => {
      const { directory, tip } = manyCommits(COMMITS);
      if (error !== 'ENOSPC') await planned(directory, tip);
      const fs = interceptedFileSystem(nodeFileSystem, async (call, perform) => {
        const fails =
          error === 'ENOSPC'
            ? call.changes && call.path.includes('/pagetree')
            : call.path === listIn(directory);
        if (fails) throw Object.assign(new Error(error), { errno: -FAULTS[error] });
        return perform();
      });
      await expectClone(directory, tip, fs);
      expect(existsSync(listIn(directory))).toBe(error !== 'ENOSPC');
    },
  );
});

/** Each commit makes four objects: more than 5,000, below which no list is kept. */
const COMMITS = 1_300;

function listIn(directory: string): string {
  return join(directory, 'pagetree', 'clone-list');
}

/** Commits one after another, made at once. Returns the last of them. */
function commitsAfter(directory: string, from: Oid, count: number): Oid {
  const commits = Array.from({ length: count }, (_, at) => {
    const head = `commit refs/heads/later\ncommitter A <a@example.org> ${2_000_000_000 + at} +0000\ndata 0\n`;
    return `${head}${at === 0 ? `from ${from}\n` : ''}M 100644 inline B.md\ndata ${`${at}`.length}\n${at}\n`;
  });
  git(directory, ['fast-import', '--quiet'], commits.join(''));
  return git(directory, ['rev-parse', 'later']);
}

function bareCopyOf(directory: string): string {
  const copy = join(temporaryDirectory(), 'copy.git');
  cpSync(directory, copy, { recursive: true });
  return copy;
}

/** A clone from a process that has just started: the number of objects, and how often it read from packs. */
async function planned(directory: string, tip: Oid): Promise<{ objects: number; reads: number }> {
  const { fs, calls } = countingFileSystem(nodeFileSystem);
  const { sending } = await openTestRepository(directory, Date.now, { fs });
  const { pack } = await sending.plan({ ...EVERYTHING, wants: [tip] }, {});
  const reads = calls.filter(({ name, path }) => name === 'read' && path.endsWith('.pack'));
  return { objects: pack?.objects ?? 0, reads: reads.length };
}

/** Has native git judge a clone. */
async function expectClone(directory: string, tip: Oid, fs = nodeFileSystem): Promise<void> {
  const client = bareRepository();
  await fetchInto(client, await openTestRepository(directory, Date.now, { fs }), { wants: [tip] });
  git(client, ['update-ref', 'refs/heads/main', tip]);
  git(client, ['fsck', '--strict', '--full']);
  const reached = (place: string) =>
    git(place, ['rev-list', '--objects', '--no-object-names', tip]).split('\n').sort();
  expect(reached(client)).toEqual(reached(directory));
}
