import { expect, onTestFinished } from 'vitest';
import { type Indexes, type IndexesOptions, openIndexes } from '../../src/search/open-indexes.ts';
import { temporaryDirectory } from '../native-git.ts';

let names = 0;

/** The indexes of a process; closed when the test ends. */
export async function openTestIndexes(options: Partial<IndexesOptions> = {}): Promise<Indexes> {
  const indexes = await openIndexes({
    workDirectory: temporaryDirectory(),
    mostBytes: 100_000_000,
    randomName: () => `test-${names++}`,
    now: Date.now,
    ...options,
  });
  onTestFinished(() => indexes.close());
  expect(indexes.problem).toBeNull();
  return indexes;
}
