import { yielding } from './yielding.ts';

/**
 * Processes enough items at once to hide a slow disk, and no more than fit into memory. Yields to the event
 * loop between batches, even if nothing is waited for.
 */
export async function inBatches<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const yieldIfDue = yielding();
  for (let start = 0; start < items.length; start += BATCH) {
    results.push(...(await Promise.all(items.slice(start, start + BATCH).map(work))));
    await yieldIfDue();
  }
  return results;
}

const BATCH = 32;
