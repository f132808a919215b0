import { expect } from 'vitest';
import type { Oid } from '../../../src/formats/oid.ts';
import { git } from '../../native-git.ts';
import { deleteRetired, livePacks } from '../packs.ts';
import { newWiki, openWriter } from '../writers.ts';
import type { Sound } from './damage.ts';

/** After the fifth a merge. */
export const WRITES = ['A', 'B', 'C', 'A', 'B', 'C', 'B', 'A'].map((name, number) => ({
  page: `${name}.md`,
  text: `${name}, version ${number}\n${'It has some lines.\n'.repeat(number)}`,
  requestId: `write-${number}`,
}));
const MERGED = 4;

/** A wiki of these writes, with which nothing is wrong yet. */
export async function soundWiki(placement: 'local' | 'shared'): Promise<Sound> {
  const directory = await newWiki({ shared: placement === 'shared' });
  const { put, storage } = await openWriter(directory, { placement });
  const commits: Oid[] = [];
  for (const [number, { page, text, requestId }] of WRITES.entries()) {
    if (number === MERGED) await storage.tidy();
    const outcome = await put(page, text, { requestId });
    if (outcome.kind === 'committed') commits.push(outcome.commit);
  }
  await storage.close();
  deleteRetired(directory);
  expect(livePacks(directory)).toHaveLength(1 + WRITES.length - MERGED);
  expect(git(directory, ['rev-parse', 'main'])).toBe(commits.at(-1));
  return { directory, commits, firstUnmerged: MERGED };
}
