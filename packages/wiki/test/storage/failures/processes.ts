import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import type { FileSystem } from '../../../src/storage/files/file-system.ts';
import type { Host } from '../../../src/storage/files/host.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { keepBoth, pageRequest } from '../pages.ts';
import { repeatableHost } from './repeatable-host.ts';

export type Placement = 'local' | 'shared';

/** A process that will be disturbed: the place of its work, and the writes acknowledged to it. */
export interface Process {
  directory: string;
  placement: Placement;
  fs: FileSystem;
  host: Host;
  /** The pages whose writes were acknowledged. */
  acknowledged: Set<string>;
  /** Other processes at work, and the file system by which they see the same files undisturbed. */
  others: Promise<void>[];
  othersFs: FileSystem;
}

/** The request that all disturbed processes make: repeated later, it must not be applied again. */
export const REQUEST = { requestId: 'the-request' };
export const PAGE = 'New.md';

/** With its times too: what is old is tidied away. */
export function copyWiki(from: string, to: string): void {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
}

/** One for all, so that its number makes no two states different. */
const endedProcess = spawnSync('true').pid;

/** A process of this machine that has ended, so that its locks may be taken over. */
export function endedHost(seed: string): Host {
  const host = repeatableHost(seed);
  return { ...host, self: { ...host.self, pid: endedProcess, started: `${endedProcess}` } };
}

/** A process that is about to run; as it is to die, its locks are those of one that has ended. */
export function disturbed(directory: string, placement: Placement, fs: FileSystem): Process {
  const others: Promise<void>[] = [];
  return {
    directory,
    placement,
    fs,
    othersFs: fs,
    others,
    host: endedHost('disturbed'),
    acknowledged: new Set(),
  };
}

export function openProcess({
  directory,
  placement,
  fs,
  host,
}: Pick<Process, 'directory' | 'placement' | 'fs' | 'host'>): Promise<Storage> {
  return openStorage({ fs, host, directory, placement, cacheBytes: 2 ** 22, mergeForeign: keepBoth });
}

/** Another process writes a page. */
export async function writeByAnother({
  directory,
  placement,
  acknowledged,
  othersFs: fs,
}: Process): Promise<void> {
  const other = await openProcess({ directory, placement, fs, host: repeatableHost('other') });
  await other.commit(pageRequest('Other.md', 'other', { requestId: 'the-request-of-another' }));
  acknowledged.add('Other.md');
  await other.close();
}
