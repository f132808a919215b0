import { dirname, join } from 'node:path';
import { type Adoption, openAdoption } from './chain/adoption.ts';
import { openBranchRef, REF_MODE } from './chain/branch-ref.ts';
import { FOREIGN_REQUEST } from './chain/brought-in.ts';
import { openChain } from './chain/chain.ts';
import { openExternalRefs } from './chain/external-refs.ts';
import { openFollowUp } from './chain/follow-up.ts';
import { landCommit, type PreparedMove, type Start, type Trace } from './chain/landing.ts';
import { openNamedLinks } from './chain/named-links.ts';
import { openRequests } from './chain/requests.ts';
import { makeDirectory, refreshDirectory } from './files/directories.ts';
import { makeFileWith, syncDirectory } from './files/durable-file.ts';
import type { FileSystem } from './files/file-system.ts';
import { type Host, randomName } from './files/host.ts';
import { openProcessLock } from './files/process-lock.ts';
import { openSerialQueue } from './files/serial-queue.ts';
import { openSpareFiles } from './files/spare-files.ts';
import { type Layout, layoutOf } from './layout.ts';
import { checkWiki } from './maintenance/check.ts';
import { hasChainLeftTraces } from './maintenance/lost-chain.ts';
import { wasMadeHere } from './maintenance/made-here.ts';
import { maintain } from './maintenance/maintenance.ts';
import { repairWiki } from './maintenance/repair.ts';
import { PACK_MODE } from './objects/land-pack.ts';
import { ObjectStore } from './objects/object-store.ts';
import { openPackDirectory } from './objects/pack-directory.ts';
import { openPackMerger } from './objects/pack-merger.ts';
import { openedMark, readOpenedMark, readRepositoryFormat } from './repository-format.ts';
import type { CommitOutcome, CommitRequest, MergeForeign, Oid, Storage } from './storage.ts';
import { fileSystemFailure, StorageError } from './storage-error.ts';

export interface StorageOptions {
  fs: FileSystem;
  host: Host;
  /** A bare repository. */
  directory: string;
  /**
   * `local`: a disk of this machine, where native git may read, push and commit as well. `shared`: an NFS mount
   * such as EFS, with any number of clients, where nobody but Pagetree writes.
   */
  placement: 'local' | 'shared';
  mergeForeign: MergeForeign;
  /** How many bytes of objects and pack indexes to keep in memory. */
  cacheBytes: number;
  /** Is given the phases of each read of the head and each write, to time them. */
  trace?: Trace;
}

/**
 * Opens a repository for reading and writing. Throws StorageError `unsupported_repository` where it is none, or
 * one that must not be used, and says what to do.
 */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { fs, host, directory, mergeForeign, cacheBytes, trace = untraced } = options;
  const shared = options.placement === 'shared';
  const mark = shared ? await readOpenedMark(fs, directory) : null;
  const branch = mark?.branch ?? (await readRepositoryFormat(fs, directory)).branch;
  const layout = layoutOf(directory, branch);
  const temporaryName = () => join(layout.temporary, randomName(host));

  const multiPackIndex = mark?.indexed ? layout.multiPackIndex : null;
  const objects = new ObjectStore({ fs, gitDirectory: directory, cacheBytes, shared, multiPackIndex });
  const links = openNamedLinks(fs, temporaryName);
  const merger = openPackMerger({
    fs,
    host,
    directory: layout.packs,
    shared,
    objects,
    // Of the newest commit's request its pack is the only trace where its name in the chain is lost.
    beforeDeleting: async () => requests.rememberUnlessLost(await chain.refresh()),
  });
  const lock = shared
    ? null
    : openProcessLock({ fs, host, path: layout.refLock, claims: layout.lockClaims, temporaryName });
  // What counts of a `.keep` is its name, which the directory's sync makes last.
  const makeKeep = lock?.sign;
  // A pack, its index and the value of the ref are all that a write makes.
  const modes = [PACK_MODE, PACK_MODE, REF_MODE];
  const spares = shared ? null : openSpareFiles({ fs, temporaryName, modes });
  const makeFile = spares?.make ?? makeFileWith(fs);
  const packs = openPackDirectory({ fs, directory: layout.packs, makeKeep, makeFile, objects, merger });
  const chain = openChain({ fs, links, layout, shared, packs, objects });
  const requests = openRequests({ fs, host, links, layout, shared, objects, chain });
  const ref = openBranchRef({ fs, layout, temporaryName, makeFile, lock });
  let prepared = false;
  const prepare = async () => {
    if (prepared) return;
    await makeStateDirectories(fs, layout, shared);
    if (shared && mark === null) await writeMark(false);
    prepared = true;
  };
  async function writeMark(indexed: boolean): Promise<void> {
    try {
      await links.replace(layout.opened, openedMark({ branch, indexed }));
    } catch (error) {
      throw fileSystemFailure(error, 'Marking the repository as opened', layout.opened);
    }
  }
  const prepareMove = (from: Oid | null, to: Oid) => followUp.prepareMove(from, to);
  const landing = { trace, host, chain, requests, packs, objects, prepareMove };
  const followUp = openFollowUp({
    fs,
    host,
    layout,
    shared,
    chain,
    ref,
    requests,
    packs,
    merger,
    adoption: () => adoption,
  });
  const adoption: Adoption = openAdoption({
    shared,
    chain,
    ref,
    externalRefs: openExternalRefs(fs, layout, temporaryName),
    requests,
    objects,
    mergeForeign,
    // What is brought in is beside the ref: to move that is for the follow-up, when nobody competes for its lock.
    land: (end, request) =>
      landCommit({ ...landing, prepareMove: async () => NO_MOVE }, { end, fresh: true }, request),
    moveRefSoon: followUp.soon,
    prepare,
    wasMadeHere: (commit, text) => wasMadeHere(fs, layout, commit, text),
    hasChainLeftTraces: (named) => hasChainLeftTraces({ fs, layout, objects }, named),
  });
  // Writers of one process would only win from each other what the others then have to build again.
  const inTurn = openSerialQueue();

  /** Where nobody else has written of late, a look at the chain is a round trip that tells nothing. */
  async function start(): Promise<Start> {
    const end = chain.known();
    if (shared && end && chain.isQuiet()) return { end, fresh: false };
    return { end: await trace('head', adoption.refresh), fresh: true };
  }

  async function commit(request: CommitRequest): Promise<CommitOutcome> {
    if (request.requestId.startsWith(FOREIGN_REQUEST)) throw reserved(request.requestId);
    return inTurn(async () => {
      // First the look: where these directories are lost, so is the chain.
      const from = await start();
      await prepare();
      try {
        return await landCommit(landing, from, request);
      } finally {
        // After the answer, so that nobody waits for it.
        if (spares) void host.wait(0).then(spares.prepare);
      }
    });
  }

  return {
    branch,
    head: () => trace('head', adoption.head),
    read: (oid) => objects.read(oid),
    readMuch: (work) => objects.readMuch(work),
    expand: (prefix, limit) => objects.expand(prefix, limit),
    commit,
    settle: followUp.settle,
    async maintain(goOn = () => true) {
      const reached = await adoption.refresh();
      await prepare();
      // Of the newest commit's request its pack is the only trace, and packs are merged.
      await requests.rememberUnlessLost(reached);
      await followUp.settle();
      const markIndexed = async () => {
        if (!mark?.indexed) await writeMark(true);
      };
      return maintain({ fs, host, layout, shared, chain, merger, objects, reached, markIndexed }, goOn);
    },
    async check() {
      return checkWiki({ fs, layout, chain, ref, head: adoption.head });
    },
    async repair() {
      const report = await inTurn(async () => {
        const { refresh: adopt } = adoption;
        const { remember } = requests;
        const following = { prepare, adopt, leaveRef: followUp.leave, remember };
        return repairWiki({ fs, host, layout, chain, ref, packs, makeKeep, objects, ...following });
      });
      await followUp.settle();
      return report;
    },
    async close() {
      try {
        await followUp.close();
      } finally {
        await Promise.all([lock?.close(), spares?.close(), objects.close()]);
      }
    },
  };
}

const NO_MOVE: PreparedMove = { linked: async () => undefined, withdraw: () => undefined };
const untraced: Trace = (_, work) => work();

/** A repository made by native git has no place yet for what the wiki keeps. The chain comes last of all. */
async function makeStateDirectories(fs: FileSystem, layout: Layout, shared: boolean): Promise<void> {
  try {
    if (await refreshDirectory(fs, layout.chain)) return;
    for (const directory of [layout.temporary, layout.requests, layout.chain]) {
      await makeDirectory(fs, directory);
      if (shared) continue;
      for (let path = dirname(directory); path !== layout.gitDirectory; path = dirname(path)) {
        await syncDirectory(fs, path);
      }
      await syncDirectory(fs, layout.gitDirectory);
    }
  } catch (error) {
    throw fileSystemFailure(error, "Making the wiki's own directories", layout.chain);
  }
}

function reserved(requestId: string): StorageError {
  const message = `Request ids that begin with ${FOREIGN_REQUEST} are the wiki's own.`;
  return new StorageError('request_reused', message, { requestId });
}
