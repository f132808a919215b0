import type { Snapshot } from '../src/core/ports.ts';
import { bareRepository } from './native-git.ts';
import { changeOf, openTestRepository, text } from './test-repository.ts';

/** Texts by their tree paths. */
export type Texts = Record<string, string>;

/** A wiki of these texts, and then of those: what they leave out is removed. */
export async function twoSnapshots(
  before: Texts,
  after: Texts,
): Promise<{ before: Snapshot; after: Snapshot; paths: string[] }> {
  const repository = await openTestRepository(bareRepository());
  const write = async (texts: Texts, removed: readonly string[]) => {
    const files = Object.entries(texts).map(([path, content]) => text(path, content));
    await repository.write(changeOf([...files, ...removed.map((path) => ({ path, remove: true as const }))]));
    return repository.head();
  };
  const old = await write(before, []);
  const removed = Object.keys(before).filter((path) => after[path] === undefined);
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return { before: old, after: await write(after, removed), paths };
}
