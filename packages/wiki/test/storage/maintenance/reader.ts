import type { Oid } from '../../../src/formats/oid.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { pagesAt } from '../pages.ts';
import { helpInARace } from './helper.ts';

/**
 * Reads the newest commit and its pages, and what it has read ever since it began, again and again. It remembers
 * no object, so that every read goes to a pack: mostly to one that it opened long ago, and that is gone by now.
 */
export interface ReaderReport {
  reads: number;
  commits: number;
  failures: string[];
}

const report: ReaderReport = { reads: 0, commits: 0, failures: [] };
const known = new Set<Oid>();

/** The number of known objects that it reads in each turn. */
const AGAIN = 20;

let turns = 0;

await helpInARace(0, turn, () => report);

async function turn(storage: Storage): Promise<void> {
  const before = [...known];
  const start = before.length === 0 ? 0 : (turns * AGAIN) % before.length;
  turns += 1;
  await noting('head', async () => {
    const head = await storage.head();
    if (head === null) return;
    if (!known.has(head)) report.commits += 1;
    known.add(head);
    for (const oid of (await pagesAt(storage, head)).values()) {
      await read(storage, oid);
      known.add(oid);
    }
  });
  for (const oid of before.slice(start, start + AGAIN)) await noting(oid, () => read(storage, oid));
}

async function read(storage: Storage, oid: Oid): Promise<void> {
  await storage.read(oid);
  report.reads += 1;
}

async function noting(what: string, action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    report.failures.push(`${what}: ${error}`);
  }
}
