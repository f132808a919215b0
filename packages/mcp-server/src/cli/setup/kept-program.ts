import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, readdir, realpath, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { absolute, dataDirectory } from '@pagetree/backends/config';
import { cloneOf, isInCache, type Surroundings } from '../config.ts';

/** A copy of the program in a place that lasts, for clients to start. */
export interface KeptProgram {
  script: string;
  /** Copies the program there, over an older copy. */
  keep: () => Promise<void>;
  /** Removes the copy, and nothing that is not of it. Returns whether there was one. */
  remove: () => Promise<boolean>;
}

/**
 * The copy that clients are to start if npx, or its like, runs this program; null if the program lies in a place of its
 * own. npx takes longer to start than the program does, asks the registry, and may empty its cache.
 */
export function keptProgram(surroundings: Surroundings, [, script = ''] = process.argv): KeptProgram | null {
  // A clone starts by itself, whatever the folder is called in which it lies.
  if (cloneOf(script, surroundings.env) !== null || !isInCache(script)) return null;
  // Clients start it in a directory of their own.
  const directory = absolute(`${dataDirectory(surroundings)}-program`, surroundings);
  return {
    script: join(directory, MAIN_FILE),
    keep: () => copyProgram(script, directory),
    remove: () => removeProgram(directory),
  };
}

/** True for a part of the program, which it loads when it needs it. Each version has parts of other names. */
export function isPart(file: string): boolean {
  return /^part-[A-Z0-9]+\.js$/.test(file);
}

const MAIN_FILE = 'pagetree.js';
/** The files of the npm package that a server for agents needs, besides parts. The one that loads the others comes last. */
const FILES = ['LICENSE', 'THIRD-PARTY-NOTICES.txt', 'package.json', 'pagetree-program.js', MAIN_FILE];
/** A server that a client started before an update may still load a part of its own version. */
const KEEP_OLD_PARTS_MS = 30 * 24 * 60 * 60 * 1_000;

/** Each file is replaced whole: a client may start the program meanwhile. */
async function copyProgram(script: string, directory: string): Promise<void> {
  // The script is a link to the program.
  const source = dirname(await realpath(script));
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const parts = await partsIn(source);
  for (const file of [...parts, ...FILES]) {
    const aside = join(directory, `${file}.${randomBytes(6).toString('hex')}.tmp`);
    try {
      await copyFile(join(source, file), aside);
      await rename(aside, join(directory, file));
    } finally {
      await rm(aside, { force: true });
    }
  }
  for (const file of await partsIn(directory)) {
    if (parts.includes(file)) continue;
    const copied = (await stat(join(directory, file))).mtimeMs;
    if (copied < Date.now() - KEEP_OLD_PARTS_MS) await rm(join(directory, file), { force: true });
  }
}

async function partsIn(directory: string): Promise<string[]> {
  return (await readdir(directory)).filter(isPart);
}

async function removeProgram(directory: string): Promise<boolean> {
  try {
    // First: without it nothing starts.
    await rm(join(directory, MAIN_FILE));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  for (const file of [...(await partsIn(directory)), ...FILES, COMPILED])
    await rm(join(directory, file), { recursive: true, force: true });
  // Other files may lie there.
  await rmdir(directory).catch(() => {});
  return true;
}

/** Written by the program when it starts. */
const COMPILED = '.compiled';
