import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createRepository } from '../../src/storage/create-repository.ts';
import type { FileSystem } from '../../src/storage/files/file-system.ts';
import type { Host } from '../../src/storage/files/host.ts';
import { nodeFileSystem } from '../../src/storage/files/node-file-system.ts';
import { nodeHost } from '../../src/storage/files/node-host.ts';
import { openStorage, type StorageOptions } from '../../src/storage/open-storage.ts';
import type { CommitOutcome, CommitRequest, Storage } from '../../src/storage/storage.ts';
import { git, temporaryDirectory } from '../native-git.ts';
import { rememberingFileSystem } from './file-systems/remembering-file-system.ts';
import { type FileSystemCall, observedFileSystem } from './observed-file-system.ts';
import { keepBoth, pageRequest } from './pages.ts';

/** An empty wiki of ours. */
export async function newWiki({ shared = false } = {}): Promise<string> {
  const directory = join(temporaryDirectory(), 'wiki.git');
  await createRepository({ fs: nodeFileSystem, host: nodeHost(), directory, branch: 'main', shared });
  return directory;
}

/** One process that writes pages in the root folder of a wiki. */
export interface Writer {
  storage: Storage;
  /** Writes one page, under a request id of its own if none is given. */
  put(page: string, text: string, request?: Partial<CommitRequest>): Promise<CommitOutcome>;
}

export async function openWriter(directory: string, options: Partial<StorageOptions> = {}): Promise<Writer> {
  const host = options.host ?? nodeHost();
  const storage = await openStorage({
    fs: nodeFileSystem,
    host,
    directory,
    placement: 'local',
    cacheBytes: 2 ** 24,
    mergeForeign: keepBoth,
    ...options,
  });
  // A writer that a test froze for ever does not close.
  onTestFinished(() => Promise.race([storage.close().catch(() => undefined), nodeHost().wait(100)]));
  return { storage, put: (page, text, request) => storage.commit(pageRequest(page, text, request)) };
}

/** The pages in the branch as native git reads them, and the number of its commits; fsck is clean. */
export function nativeView(directory: string): { pages: Record<string, string>; commits: string[] } {
  git(directory, ['fsck', '--strict', '--full', '--no-dangling']);
  const names = git(directory, ['ls-tree', '--name-only', 'main']).split('\n');
  const pages = Object.fromEntries(
    names.map((name) => [name, git(directory, ['cat-file', 'blob', `main:${name}`])]),
  );
  return { pages, commits: git(directory, ['rev-list', 'main']).split('\n') };
}

/**
 * Stops a process before the first call of the file system that `matches`, until it is let go. If it never is, the files
 * that it has open are closed when the test ends.
 */
export function freezing(
  matches: (call: FileSystemCall) => boolean,
  whole: FileSystem = nodeFileSystem,
): {
  fs: FileSystem;
  frozen: Promise<void>;
  thaw(): void;
} {
  const frozen = Promise.withResolvers<void>();
  const thawed = Promise.withResolvers<void>();
  let met = false;
  const own = rememberingFileSystem(whole);
  onTestFinished(own.release);
  const fs = observedFileSystem(own.fs, async (call) => {
    if (met || !matches(call)) return;
    met = true;
    frozen.resolve();
    await thawed.promise;
  });
  return { fs, frozen: frozen.promise, thaw: () => thawed.resolve() };
}

/** The call that makes a commit: the name in the chain after its parent. */
export function isLink(call: FileSystemCall): boolean {
  return call.name === 'symlink' && /\/chain-main\/[0-9a-f]{40}$/.test(call.path);
}

/** A machine whose clock is wrong or moves on by as much. */
export function hostAhead(milliseconds: number): Host {
  const host = nodeHost();
  return { ...host, now: () => host.now() + milliseconds };
}

/** A machine on which a wait ends at once, or never. */
export function waitingHost(ends: (milliseconds: number) => boolean): { host: Host; waits: number[] } {
  const own = nodeHost();
  const waits: number[] = [];
  const wait = (milliseconds: number) => {
    waits.push(milliseconds);
    return ends(milliseconds) ? own.wait(0) : new Promise<never>(() => undefined);
  };
  return { host: { ...own, wait }, waits };
}

/** A process that has ended, so that its locks may be taken over. */
export function endedHost(): Host {
  const host = nodeHost();
  const pid = spawnSync('true').pid;
  return { ...host, self: { ...host.self, pid, started: `${pid}` } };
}

/** Begins the maintenance of a wiki, and stops it before it lists the packs. `prepare` writes before that in the same process. */
export async function maintenanceBeforeListing(
  directory: string,
  prepare: (writer: Awaited<ReturnType<typeof openWriter>>) => Promise<unknown> = async () => undefined,
): Promise<{ maintaining: Promise<unknown>; thaw(): void }> {
  let isArmed = false;
  const { fs, frozen, thaw } = freezing(
    ({ name, path }) => isArmed && name === 'readdir' && path.endsWith('objects/pack'),
  );
  const maintainer = await openWriter(directory, { fs });
  await prepare(maintainer);
  await maintainer.storage.settle();
  isArmed = true;
  const maintaining = maintainer.storage.tidy();
  await frozen;
  return { maintaining, thaw };
}
