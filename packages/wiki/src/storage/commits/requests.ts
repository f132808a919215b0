import { dirname, join } from 'node:path';
import { type ParsedCommit, parseCommit } from '../../formats/commit.ts';
import type { Oid } from '../../formats/oid.ts';
import { makeDirectory, refreshDirectory } from '../files/directories.ts';
import { syncDirectory } from '../files/durable-file.ts';
import type { FileSystem } from '../files/file-system.ts';
import type { Host } from '../files/host.ts';
import type { NamedLinks } from '../files/named-links.ts';
import { isMissing } from '../files/unless-gone.ts';
import type { Layout } from '../layout.ts';
import type { ObjectReader } from '../storage.ts';
import { fileSystemFailure, StorageError, type StorageErrorCode } from '../storage-error.ts';
import type { CommitChain } from './chain.ts';
import { type ChainEnd, type ChainLink, FIRST_NAME } from './chain-link.ts';
import { type DatedCommit, readIfThere } from './history.ts';
import { FOREIGN_REQUEST, givenId, requestNameOf } from './request-name.ts';
import { requestOf } from './request-trailers.ts';

export interface RequestIdentity {
  requestId: string;
  digest: string;
}

/**
 * Remembers which requests were carried out. Every commit except the newest has a durable entry: the writer
 * of a successor makes sure of it first. The trailers of the newest commit name its request.
 */
export interface Requests {
  /**
   * The link of the commit that carried the request out, at or before `end`, or null. Throws `request_reused`
   * if the id stands for something else, and `write_state_unknown` if the id is not found and is older than
   * the entries that are kept.
   */
  find(identity: RequestIdentity, end: ChainEnd): Promise<ChainLink | null>;
  /** The first of these links whose commit carried the request out. Throws `request_reused`. */
  findAmong(identity: RequestIdentity, links: readonly ChainLink[]): Promise<ChainLink | null>;
  /** Makes sure that the commit at `end` has its entry, and that the entry survives a power cut. */
  remember(end: ChainEnd): Promise<void>;
  /** Does the same, except if the commit is lost: nobody knows which request it carried out. */
  rememberUnlessLost(end: ChainEnd): Promise<void>;
  /** Makes an entry for a commit of this wiki that is about to come in beside the chain, unless its request has one. */
  rememberBeside(commit: Oid): Promise<void>;
}

/** For this long after it was made, an unknown id counts as new. Entries are kept for one day longer. */
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
  /** True if a commit that the chain does not hold came in at or before `end`. */
  hasComeIn(commit: Oid, end: ChainLink): Promise<boolean>;
}

export function openRequests(options: RequestsOptions): Requests {
  const { fs, host, links, layout, shared, objects, chain, hasComeIn } = options;
  const durableBuckets = new Set<string>();
  let remembered: Oid | null = null;

  async function find(identity: RequestIdentity, end: ChainEnd): Promise<ChainLink | null> {
    if (end === null) return findEntry(identity, null);
    const { found } = await look(identity, [end]);
    return found ?? findEntry(identity, end);
  }

  async function findEntry(identity: RequestIdentity, end: ChainEnd): Promise<ChainLink | null> {
    const entry = await readEntry(identity.requestId);
    const before = entry === null || end === null ? null : await linkBefore(entry, end);
    if (before) return (await look(identity, [before])).found;
    const { madeAt } = requestNameOf(identity.requestId);
    if (madeAt !== null && host.now() - madeAt > REQUEST_AGE_LIMIT) throw tooOld(identity.requestId);
    return null;
  }

  async function findAmong(
    identity: RequestIdentity,
    links: readonly ChainLink[],
  ): Promise<ChainLink | null> {
    const { found, bringsIn } = await look(identity, links);
    return found ?? (bringsIn ? findEntry(identity, links.at(-1) ?? null) : null);
  }

  /** `bringsIn`: a commit of them brings others in, whose requests have entries alone. */
  async function look(
    identity: RequestIdentity,
    links: readonly ChainLink[],
  ): Promise<{ found: ChainLink | null; bringsIn: boolean }> {
    let bringsIn = false;
    for (const link of links) {
      const request = link.adopted ? null : requestOf(await readChained(objects, link.commit));
      bringsIn ||= request?.requestId.startsWith(FOREIGN_REQUEST) === true;
      if (request?.requestId !== identity.requestId) continue;
      if (request.digest !== identity.digest) throw reused(identity.requestId);
      return { found: link, bringsIn };
    }
    return { found: null, bringsIn };
  }

  /**
   * Opens the directories first: an NFS client may believe for 30 seconds too long that a name does not
   * exist.
   */
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
   * The link to `commit`, if the chain leads from there to the same place as from `end`. An entry alone
   * proves nothing: a copy made during writes may hold the entry without its commit.
   */
  async function linkBefore(commit: Oid, end: ChainLink): Promise<ChainLink | null> {
    if (!(await chain.hasSuccessor(commit))) return requireNotMerged(commit, end);
    const parent = (await readLost(commit)).parents[0] ?? null;
    const link: ChainLink = { parent, commit, adopted: false };
    const after = await chain.follow(link);
    if (after.some((later) => later.commit === end.commit)) return link;
    const last = (await chain.follow(end)).at(-1) ?? end;
    return after.at(-1)?.commit === last.commit ? link : null;
  }

  /**
   * Throws if a repair merged the commit, whose name was lost, with what was written since: where both changed the
   * same, its change may not be in the wiki.
   */
  async function requireNotMerged(commit: Oid, end: ChainLink): Promise<null> {
    const text = await readIfThere(objects, commit);
    if (text === null || (await isLinked(text)) || !(await hasComeIn(commit, end))) return null;
    const message =
      'A repair merged the commit that carried the request out with later ones; its change may be in the wiki or not.';
    throw new StorageError('write_state_unknown', message, { commit });
  }

  /** The newest commit has no successor, but its predecessor leads to it. */
  async function isLinked({ oid, parents }: DatedCommit): Promise<boolean> {
    return (await chain.successor(parents[0] ?? null)) === oid;
  }

  /**
   * After a repair the chain names commits that are lost: nobody knows which of their changes were brought
   * back.
   */
  async function readLost(commit: Oid): Promise<ParsedCommit> {
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
    const request = requestOf(await readChained(objects, end.commit));
    if (request) {
      // An entry that outlived the name of its commit would be taken for a trace of a lost chain.
      await chain.sync();
      const twin = shared ? undefined : join(layout.chain, end.parent ?? FIRST_NAME);
      await enter(request.requestId, end.commit, twin);
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

  async function rememberBeside(commit: Oid): Promise<void> {
    const request = requestOf(await readChained(objects, commit));
    if (request === null) return;
    const entry = await readEntry(request.requestId);
    if (entry === commit) return;
    // The request was made again, unless that commit lost its name too.
    if (entry !== null && (await chain.hasSuccessor(entry))) return;
    const other = entry === null ? null : await readIfThere(objects, entry);
    if (other !== null && (await isLinked(other))) return;
    await enter(request.requestId, commit);
  }

  /** `twin` is a name of the chain that leads to the same commit. */
  async function enter(requestId: string, commit: Oid, twin?: string): Promise<void> {
    const { bucket, name } = requestNameOf(requestId);
    const directory = join(layout.requests, bucket);
    try {
      await makeEntry(directory, join(directory, name), commit, twin);
      if (!shared) await makeDurable(bucket, directory);
    } catch (error) {
      throw fileSystemFailure(error, 'Remembering the request', directory);
    }
  }

  async function makeEntry(directory: string, path: string, commit: Oid, twin?: string): Promise<void> {
    try {
      if (await links.make(path, commit, twin)) return;
    } catch (error) {
      if (!isMissing(error)) throw error;
      await makeDirectory(fs, directory);
      return makeEntry(directory, path, commit, twin);
    }
    // A copy left another entry behind: the chain decides.
    if ((await links.read(path)) !== commit) await links.replace(path, commit);
  }

  async function makeDurable(bucket: string, directory: string): Promise<void> {
    await syncDirectory(fs, directory);
    if (durableBuckets.has(bucket)) return;
    await syncDirectory(fs, layout.requests);
    // Another process may have just made that directory: copies leave out empty ones.
    if (durableBuckets.size === 0) await syncDirectory(fs, dirname(layout.requests));
    durableBuckets.add(bucket);
  }

  return { find, findAmong, remember, rememberUnlessLost, rememberBeside };
}

/** The content of a commit that the chain names. A missing one stops the caller and is never skipped. */
export async function readChained(objects: ObjectReader, commit: Oid): Promise<ParsedCommit> {
  try {
    return parseCommit((await objects.read(commit)).content);
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'missing_object') throw error;
    const message = `The wiki's chain names commit ${commit}, which is not in the repository. It was copied while it was written, or files of it were lost.`;
    throw new StorageError('missing_commit', message, { commit }, { cause: error });
  }
}

function reused(ownId: string): StorageError {
  const requestId = givenId(ownId);
  const message = `The request id ${requestId} was used before, for another request.`;
  return new StorageError('request_reused', message, { requestId });
}

function tooOld(ownId: string): StorageError {
  const requestId = givenId(ownId);
  const message = `The request id ${requestId} is more than a day old, and nobody knows any more whether it was carried out.`;
  return new StorageError('write_state_unknown', message, { requestId });
}
