import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive, killAll, readProcess } from './processes.mjs';

/*
 * The temporary files of one run lie in two directories: one on a disk, and one in memory if there is room. Their name
 * carries the pid and the start of the run's process, so that a later run knows which of them nobody uses any more.
 */

const MEMORY = '/dev/shm';
/** Two guests of the NFS lab, of 1.5 GB each, have their memory there too. */
const MIN_FREE_BYTES = 2 ** 32;
const NAME = /^(?:pagetree-)?run-(\d+)-(\d+)$/;

/**
 * The directories of the run of this process, not made yet. A run within a run has its own below those of the other.
 * @returns `{ name, disk, memory }`; memory is null if the files are to lie on the disk alone.
 */
export function directoriesOfRun() {
  const { PAGETREE_RUN: outerDisk, PAGETREE_RUN_MEMORY: outerMemory } = process.env;
  const isNested = outerDisk !== undefined;
  const name = `${isNested ? '' : 'pagetree-'}run-${process.pid}-${readProcess(process.pid)?.start ?? 0}`;
  const memory = isNested ? (outerMemory ?? null) : memoryBase();
  return {
    name,
    disk: join(outerDisk ?? tmpdir(), name),
    memory: memory === null ? null : join(memory, name),
  };
}

/** Makes the directories, after it has removed those of runs that are gone, and has ended what these left behind. */
export async function makeDirectories(directories) {
  for (const directory of placesOf(directories)) {
    const base = join(directory, '..');
    for (const name of readdirSync(base)) if (isGone(name)) await endRun(name, [join(base, name)], []);
    // With the rights that the user's files have: tests are about wikis that others can or cannot read.
    mkdirSync(directory, { recursive: true });
  }
}

/**
 * Ends all processes of a run, and removes its directories.
 * @param known processes of the run whose environment may not name it.
 * @param spared pids that go on.
 */
export async function endRun(name, places, known, spared = []) {
  await killAll({ known, mark: name, spared: [process.pid, ...spared] });
  for (const place of places) {
    for (const mount of mountsBelow(place)) spawnSync('umount', ['--lazy', mount]);
    remove(place);
  }
}

function remove(place) {
  try {
    rmSync(place, { recursive: true, force: true, maxRetries: 5 });
  } catch (error) {
    // Another user's, or a process that the kernel still keeps writes there. A later run tries again.
    process.stderr.write(`${place} could not be removed: ${error.message}\n`);
  }
}

export function placesOf({ disk, memory }) {
  return [disk, ...(memory === null ? [] : [memory])];
}

/** A directory that TMPDIR names was chosen by somebody. */
function memoryBase() {
  if (process.env.TMPDIR || !existsSync(MEMORY)) return null;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize < MIN_FREE_BYTES ? null : MEMORY;
}

function isGone(name) {
  const [, pid, start] = NAME.exec(name) ?? [];
  return pid !== undefined && !isAlive({ pid: Number(pid), start });
}

/** The deepest first. */
function mountsBelow(place) {
  if (!existsSync('/proc/self/mountinfo')) return [];
  const points = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '');
  return points.filter((point) => point.startsWith(`${place}/`)).toSorted((a, b) => b.length - a.length);
}
