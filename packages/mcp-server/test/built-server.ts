import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { buildServer } from '../build.ts';

/**
 * The path of the server's bundle, built from the current sources once for each run of the tests. So the starts of all
 * test files share what V8 compiled.
 */
export async function builtServer(): Promise<string> {
  const run = process.env.PAGETREE_RUN_MEMORY ?? process.env.PAGETREE_RUN;
  if (run === undefined) return buildInto(await temporaryDirectory());
  const shared = join(run, 'built-server');
  if (!existsSync(shared)) {
    const own = await mkdtemp(join(run, 'building-'));
    await buildInto(own);
    // Another file may have been faster.
    await rename(own, shared).catch(() => rm(own, { recursive: true }));
  }
  return join(shared, FILE);
}

const FILE = 'pagetree.js';

async function buildInto(directory: string): Promise<string> {
  await buildServer(join(directory, FILE));
  // As in the package: without it Node looks first what kind of module the bundle is.
  await writeFile(join(directory, 'package.json'), '{"type":"module"}');
  return join(directory, FILE);
}

/** A new directory that is removed after the tests of this file. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'pagetree-'));
  directories.push(directory);
  return directory;
}

const directories: string[] = [];

// Declared here and not for each directory: hooks are declared while tests are collected, not while one runs.
afterAll(async () => {
  // Retries: a server that was just killed may still be writing.
  await Promise.all(directories.map((path) => rm(path, { recursive: true, force: true, maxRetries: 5 })));
});
