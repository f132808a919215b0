import { readFileSync, writeFileSync } from 'node:fs';
import { readOptions } from '../options.ts';
import { drawStorage } from './draw-storage.ts';

const TABLES = new URL('../../../../docs/benchmarks/storage.md', import.meta.url);
const PICTURE = new URL('../../../../docs/benchmarks/storage.svg', import.meta.url);

/** Draws the picture of docs/benchmarks.md from the tables beside it. */
export async function benchPicture(args: readonly string[]): Promise<string> {
  readOptions('picture', args, {});
  writeFileSync(PICTURE, drawStorage(readFileSync(TABLES, 'utf8')));
  return 'Drew docs/benchmarks/storage.svg from docs/benchmarks/storage.md.';
}
