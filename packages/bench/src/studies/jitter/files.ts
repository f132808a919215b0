import { createHash } from 'node:crypto';
import { link, open } from 'node:fs/promises';
import { join } from 'node:path';
import { fileOf } from './record.ts';

const MIB = 2 ** 20;

/** Makes the file of each size below `directory`, of bytes that nothing can compress. */
export async function makeFiles(directory: string, sizesMib: readonly number[]): Promise<void> {
  const chunk = createHash('shake256', { outputLength: MIB }).update('jitter').digest();
  for (const size of sizesMib) {
    const file = await open(join(directory, fileOf(size)), 'w');
    try {
      for (let written = 0; written < size; written += 1) await file.write(chunk);
    } finally {
      await file.close();
    }
  }
}

/** Shows the files in another directory of the same disk too, without a second copy. */
export async function linkFiles(from: string, to: string, sizesMib: readonly number[]): Promise<void> {
  for (const size of sizesMib) await link(join(from, fileOf(size)), join(to, fileOf(size)));
}
