import { dirname, join } from 'node:path';
import { makeDirectory, refreshDirectory } from '../files/directories.ts';
import { syncDirectory } from '../files/durable-file.ts';
import { errorName, type FileSystem } from '../files/file-system.ts';
import type { Host } from '../files/host.ts';
import type { Layout } from '../layout.ts';
import { type CommitText, parseCommit } from '../objects/commit-text.ts';
import type { ObjectReader, Oid } from '../storage.ts';
import { fileSystemFailure, StorageError, type StorageErrorCode } from '../storage-error.ts';
import type { CommitChain } from './chain.ts';
import { type ChainEnd, type ChainLink, FIRST_NAME } from './chain-link.ts';
import type { NamedLinks } from './named-links.ts';
import { requestNameOf } from './request-name.ts';

export interface RequestIdentity {
  requestId: string;
  digest: string;
}

/**
 * Which requests were carried out. Every commit but the newest has its entry, durably: whoever links a
 * successor makes sure of it first. What the newest one did stands in its own trailers.
 */
export interface Requests {
  /**
   * The link of the commit that carried the request out, at or before `end`, null where there is none.
   * Throws `request_reused` where the id stands for something else, and `write_state_unknown` where it is not
   * found and older than what entries are kept for.
   */
  find(identity: RequestIdentity, end: ChainEnd): Promise<ChainLink | null>;
  /** The first of these links whose commit carried the request out; throws `request_reused`. */
  findAmong(identity: RequestIdentity, links: readonly ChainLink[]): Promise<ChainLink | null>;
  /** Makes sure that the commit at `end` has its entry, and that the entry survives a power cut. */
  remember(end: ChainEnd): Promise<void>;
  /** The same, but of a commit that is lost nobody knows which request it carried out. */
  rememberUnlessLost(end: ChainEnd): Promise<void>;
}

/** An id is taken for new for so long after it was made; entries are kept for a day longer. */
export const REQUEST_AGE_LIMIT = 24 * 60 * 60 * 1000;

const LOST: ReadonlySet<StorageErrorCode> = new Set(['missing_commit', 'corrupt_object', 'corrupt_pack']);

export interface RequestsOptions {
  fs: FileSystem;
  host: Host;
  links: NamedLinks;
  layout: Layout;
  shared: boolean;
  objects: ObjectReader;
  chain: CommitChain;
}

export function openRequests(options: RequestsOptions): Requests {
  const { fs, host, links, layout, shared, objects, chain } = options;
  const durableBuckets = new Set<string>();
  let remembered: Oid | null = null;

  async function find(identity: RequestIdentity, end: ChainEnd): Promise<ChainLink | null> {
    const atEnd = end && (await findAmong(identity, [end]));
    if (atEnd) return atEnd;
    const entry = await readEntry(identity.requestId);
    const before = entry === null || end === null ? null : await linkBefore(entry, end);
    if (before) return findAmong(identity, [before]);
    const { madeAt } = requestNameOf(identity.requestId);
    if (madeAt !== null && host.now() - madeAt > REQUEST_AGE_LIMIT) throw tooOld(identity.requestId);
    return null;
  }

  async function findAmong(
    identity: RequestIdentity,
    candidates: readonly ChainLink[],
  ): Promise<ChainLink | null> {
    for (const link of candidates) {
      const request = link.adopted ? null : (await readChained(objects, link.commit)).request;
      if (request?.requestId !== identity.requestId) continue;
      if (request.digest !== identity.digest) throw reused(identity.requestId);
      return link;
    }
    return null;
  }

  /** Opens the directories first: an NFS client may know for 30 seconds too long that a name is not there. */
  async function readEntry(requestId: string): Promise<Oid | null> {
    const { bucket, name } = requestNameOf(requestId);
    const directory = join(layout.requests, bucket);
    try {
      if (shared && !(await refreshDirectory(fs, directory))) {
        await refreshDirectory(fs, layout.requests);
        if (!(await refreshDirectory(fs, directory))) return null;
      }
      return await links.read(join(directory, name));
    } catch (error) {
      throw fileSystemFailure(error, 'Looking the request up', directory);
    }
  }

  /**
   * The link to `commit` if the chain leads from it to where it leads from `end`. An entry alone proves
   * nothing: a copy made while the wiki was written may hold it without its commit.
   */
  async function linkBefore(commit: Oid, end: ChainLink): Promise<ChainLink | null> {
    if (!(await chain.hasSuccessor(commit))) return null;
    const parent = (await readLost(commit)).parents[0] ?? null;
    const link: ChainLink = { parent, commit, adopted: false };
    const after = await chain.follow(link);
    if (after.some((later) => later.commit === end.commit)) return link;
    const last = (await chain.follow(end)).at(-1) ?? end;
    return after.at(-1)?.commit === last.commit ? link : null;
  }

  /** After a repair the chain names commits that are lost: nobody knows what of them was brought back. */
  async function readLost(commit: Oid): Promise<CommitText> {
    try {
      return await readChained(objects, commit);
    } catch (error) {
      if (!(error instanceof StorageError) || error.code !== 'missing_commit') throw error;
      const message =
        'The request was carried out by a commit that is lost; its change may be in the wiki or not.';
      throw new StorageError('write_state_unknown', message, { commit }, { cause: error });
    }
  }

  async function remember(end: ChainEnd): Promise<void> {
    if (end === null || end.adopted || end.commit === remembered) return;
    const { request } = await readChained(objects, end.commit);
    if (request) {
      const { bucket, name } = requestNameOf(request.requestId);
      const directory = join(layout.requests, bucket);
      // An entry that outlived the name of its commit would be taken for a trace of a chain that was lost.
      await chain.sync();
      try {
        await makeEntry(directory, join(directory, name), end);
        if (!shared) await makeDurable(bucket, directory);
      } catch (error) {
        throw fileSystemFailure(error, 'Remembering the request', directory);
      }
    }
    remembered = end.commit;
  }

  async function rememberUnlessLost(end: ChainEnd): Promise<void> {
    try {
      await remember(end);
    } catch (error) {
      if (!(error instanceof StorageError) || !LOST.has(error.code)) throw error;
    }
  }

  async function makeEntry(directory: string, path: string, end: ChainLink): Promise<void> {
    const { parent, commit } = end;
    const twin = shared ? undefined : join(layout.chain, parent ?? FIRST_NAME);
    try {
      if (await links.make(path, commit, twin)) return;
    } catch (error) {
      if (errorName(error) !== 'ENOENT') throw error;
      await makeDirectory(fs, directory);
      return makeEntry(directory, path, end);
    }
    // Another entry is what a copy left behind: the chain says who is right.
    if ((await links.read(path)) !== commit) await links.replace(path, commit);
  }

  async function makeDurable(bucket: string, directory: string): Promise<void> {
    await syncDirectory(fs, directory);
    if (durableBuckets.has(bucket)) return;
    await syncDirectory(fs, layout.requests);
    // Somebody may just have made that one too: copies leave out empty directories.
    if (durableBuckets.size === 0) await syncDirectory(fs, dirname(layout.requests));
    durableBuckets.add(bucket);
  }

  return { find, findAmong, remember, rememberUnlessLost };
}

/** The text of a commit that the chain names. One that is missing stops whatever needs it, and is never skipped. */
export async function readChained(objects: ObjectReader, commit: Oid): Promise<CommitText> {
  try {
    return parseCommit((await objects.read(commit)).content);
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'missing_object') throw error;
    const message = `The wiki's chain names commit ${commit}, which is not in the repository. It was copied while it was written, or files of it were lost.`;
    throw new StorageError('missing_commit', message, { commit }, { cause: error });
  }
}

function reused(requestId: string): StorageError {
  const message = `The request id ${requestId} was used before, for another request.`;
  return new StorageError('request_reused', message, { requestId });
}

function tooOld(requestId: string): StorageError {
  const message = `The request id ${requestId} is more than a day old, and nobody knows any more whether it was carried out.`;
  return new StorageError('write_state_unknown', message, { requestId });
}
