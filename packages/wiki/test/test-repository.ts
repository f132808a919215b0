import { onTestFinished } from 'vitest';
import type { Change, FileWrite, Repository, Snapshot } from '../src/core/ports.ts';
import { keptRemote } from '../src/git/kept-remote.ts';
import { mergeForeign } from '../src/git/merging/merge-foreign.ts';
import { openRepository } from '../src/git/open-repository.ts';
import { keptList } from '../src/git/sending/kept-list.ts';
import { nodeFileSystem } from '../src/storage/files/node-file-system.ts';
import { nodeHost } from '../src/storage/files/node-host.ts';
import { openStorage } from '../src/storage/open-storage.ts';

/** Opens a bare repository as a wiki on the local disk; it is closed when the test ends. */
export async function openTestRepository(
  directory: string,
  now: () => number = Date.now,
  { fs = nodeFileSystem, cacheBytes = 8_000_000 } = {},
): Promise<Repository> {
  const storage = await openStorage({
    fs,
    host: nodeHost(),
    directory,
    placement: 'local',
    mergeForeign: (tip, foreign, transaction) => mergeForeign(tip, foreign, transaction, now()),
    cacheBytes,
  });
  onTestFinished(() => storage.close());
  const description = { clone: null, readOnly: false, problems: [] };
  const parts = { fs, host: nodeHost(), gitDirectory: directory };
  const [remote, cloneList] = [keptRemote(parts), keptList(parts)];
  const describe = async () => description;
  return openRepository({ name: 'test', storage, readOnly: false, now, describe, remote, cloneList });
}

let requests = 0;

/** A change of these files, whatever it finds. */
export function changeOf(files: FileWrite[], more: Partial<Change> & { message?: string } = {}): Change {
  const { message = 'Change pages', ...rest } = more;
  requests += 1;
  return {
    requestId: `request-${requests}`,
    idIsNew: false,
    digest: 'digest',
    author: { name: 'Ada Lovelace', email: 'ada@example.org' },
    agent: null,
    apply: async () => ({ message, files }),
    ...rest,
  };
}

/** The commit of a change of these files, which must change something. */
export async function commitFilesTo(repository: Repository, ...files: FileWrite[]): Promise<string> {
  const written = await repository.write(changeOf(files));
  if (written.kind === 'unchanged') throw new Error('Nothing was written.');
  return written.commit;
}

/** New text at a path. */
export function text(path: string, content: string): FileWrite {
  return { path, content: Buffer.from(content) };
}

export async function pathsOf(snapshot: Snapshot, folder?: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const { path } of snapshot.files(folder)) paths.push(path);
  return paths;
}

/** The text of a file that must be there. */
export async function readText(snapshot: Snapshot, path: string): Promise<string> {
  const entry = await snapshot.entry(path);
  if (entry === null) throw new Error(`There is no ${path}.`);
  return Buffer.from(await snapshot.blob(entry.oid)).toString();
}
