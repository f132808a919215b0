import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { buildServer } from '../build.ts';

/**
 * Builds the server from the current sources and returns the bundle's path. The file is removed after the
 * tests of this file.
 */
export async function builtServer(): Promise<string> {
  const bundle = join(await temporaryDirectory(), 'pagetree.js');
  await buildServer(bundle);
  return bundle;
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
