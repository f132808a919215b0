import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { nodeFileSystem } from '../../../src/storage/files/node-file-system.ts';
import { nodeHost } from '../../../src/storage/files/node-host.ts';
import { git } from '../../native-git.ts';
import { pageRequest, pagesAt } from '../pages.ts';
import { openProcess, PAGE, type Placement, REQUEST } from './processes.ts';
import type { Situation } from './situations.ts';

/**
 * The promises that hold in a wiki whose writer was disturbed: the head is the old or the new one and
 * includes everything acknowledged; the next writer needs no help; the repeated request is applied once;
 * native git agrees.
 */
export async function expectSound(
  directory: string,
  { placement, before, again }: Pick<Situation, 'placement' | 'before' | 'again'>,
  acknowledged: ReadonlySet<string>,
): Promise<void> {
  const storage = await openProcess({ directory, placement, fs: nodeFileSystem, host: nodeHost() });
  try {
    const head = await storage.head();
    await storage.settle();
    const found = head === null ? [] : [...(await pagesAt(storage, head)).keys()];
    expect(found).toEqual(expect.arrayContaining([...before, ...acknowledged]));
    expect([...before, PAGE, 'Other.md']).toEqual(expect.arrayContaining(found));

    await again?.(storage);
    await storage.commit(pageRequest('Next.md', 'next'));
    await storage.commit(pageRequest(PAGE, 'new', REQUEST));
    await storage.settle();
    const pages = [...new Set([...found, 'Next.md', PAGE])].sort();
    expectNativeGitAgrees(directory, placement, (await storage.head()) ?? '', pages);
  } finally {
    await storage.close();
  }
}

function expectNativeGitAgrees(
  directory: string,
  placement: Placement,
  head: string,
  pages: readonly string[],
): void {
  expectClean(directory);
  expect(git(directory, ['ls-tree', '--name-only', 'main']).split('\n')).toEqual(pages);
  const [newest, ...messages] = git(directory, ['log', '--format=%H%n%B', 'main']).split('\n');
  expect(newest).toBe(head);
  const applied = messages.filter((line) => line === `Request-Id: ${REQUEST.requestId}`);
  expect(applied, 'how often the request was applied').toHaveLength(1);
  if (placement === 'local') expect(existsSync(join(directory, 'refs/heads/main.lock'))).toBe(false);
}

/** Native git finds nothing wrong. */
export function expectClean(directory: string): void {
  expect(git(directory, ['fsck', '--strict', '--full', '--no-dangling', '--no-progress'])).toBe('');
}
