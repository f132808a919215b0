import { readFile, stat } from 'node:fs/promises';

/**
 * The text of a small regular file. To open a pipe waits for its writer and holds a thread of this process: four of them
 * stop all its files, and no signal ends the process.
 */
export async function readTokenFile(path: string): Promise<string> {
  const found = await stat(path);
  if (!found.isFile() || found.size > MAX_BYTES) throw new Error(`${path} is not a small regular file.`);
  return readFile(path, 'utf8');
}

const MAX_BYTES = 100_000;
