import { join } from 'node:path';
import type { Oid } from '../formats/oid.ts';
import { openSerialQueue } from '../scheduling/serial-queue.ts';
import { openChain } from './commits/chain.ts';
import type { ChainEnd } from './commits/chain-link.ts';
import { landCommit, type PreparedMove, type Start } from './commits/landing.ts';
import { FOREIGN_REQUEST, requestIdOf } from './commits/request-name.ts';
import { openRequests } from './commits/requests.ts';
import { makeFileWith } from './files/durable-file.ts';
import type { FileSystem } from './files/file-system.ts';
import { type Host, randomName } from './files/host.ts';
import { openNamedLinks } from './files/named-links.ts';
import { openProcessLock } from './files/process-lock.ts';
import { openSpareFiles } from './files/spare-files.ts';
import { layoutOf } from './layout.ts';
import { inSteps } from './maintenance/in-steps.ts';
import { Run } from './maintenance/run.ts';
import { tidy } from './maintenance/tidy.ts';
import { openAdoption } from './native-git/adoption.ts';
import { openBranchRef, REF_MODE } from './native-git/branch-ref.ts';
import { openExternalRefs } from './native-git/external-refs.ts';
import { openFollowUp } from './native-git/follow-up.ts';
import { listRefs } from './native-git/list-refs.ts';
import { ObjectStore } from './objects/object-store.ts';
import { PACK_MODE } from './packs/land-pack.ts';
import { openPackMerger } from './packs/merging/pack-merger.ts';
import { openPackDirectory } from './packs/pack-directory.ts';
import { listPacks } from './packs/pack-listing.ts';
import { openPackedEntries } from './packs/packed-entries.ts';
import { type MergeParts, mergeForeignHistory } from './pushes/land-merge.ts';
import { landPush, outcomeWithoutPush } from './pushes/land-push.ts';
import { hasChainLeftTraces, readingAnew } from './repair/chain/lost-chain.ts';
import { wasMadeHere } from './repair/chain/made-here.ts';
import { checkWiki } from './repair/check.ts';
import { repairWiki } from './repair/repair.ts';
import { openedMark, readOpenedMark, readRepositoryFormat } from './repository-format.ts';
import { makeStateDirectories } from './state-directories.ts';
import {
  type CommitOutcome,
  type CommitRequest,
  type JudgeObject,
  MERGE_REQUEST,
  type MergeForeign,
  type PushOutcome,
  type PushRequest,
  type RepairReport,
  type Storage,
  type Trace,
} from './storage.ts';
import { fileSystemFailure, StorageError } from './storage-error.ts';

export interface StorageOptions {
  fs: FileSystem;
  host: Host;
  /** A bare repository. */
  directory: string;
  /**
   * `local`: a disk of this machine, where native git may read, push and commit as well. `shared`: an NFS
   * mount such as EFS with any number of clients, where only Pagetree writes.
   */
  placement: 'local' | 'shared';
  mergeForeign: MergeForeign;
  /** Judges objects in a check of the storage. */
  judge?: JudgeObject;
  /** Memory for objects and pack indexes, in bytes. */
  cacheBytes: number;
  /** Times the phases of each read of the head and of each write. */
  trace?: Trace;
}

/**
 * Opens a repository for reading and writing. Throws StorageError `unsupported_repository` if it is not one
 * or must not be used; the message says what to do.
 */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { fs, host, directory, mergeForeign, cacheBytes, judge = () => null, trace = untraced } = options;
  const shared = options.placement === 'shared';
  const mark = shared ? await readOpenedMark(fs, directory) : null;
  const branch = mark?.branch ?? (await readRepositoryFormat(fs, directory)).branch;
  const layout = layoutOf(directory, branch);
  const temporaryName = () => join(layout.temporary, randomName(host));

  const multiPackIndex = mark?.indexed ? layout.multiPackIndex : null;
  const objects = new ObjectStore({ fs, gitDirectory: directory, cacheBytes, shared, multiPackIndex });
  const links = openNamedLinks(fs, temporaryName);
  const lock = shared
    ? null
    : openProcessLock({ fs, host, path: layout.refLock, claims: layout.lockClaims, temporaryName });
  // Only the name of a `.keep` counts, and the directory's sync makes that durable last.
  const makeKeep = lock?.sign;
  // A write creates only a pack, its index and the value of the ref.
  const modes = [PACK_MODE, PACK_MODE, REF_MODE];
  const spares = shared ? null : openSpareFiles({ fs, temporaryName, modes });
  const makeFile = spares?.make ?? makeFileWith(fs);
  const packs = openPackDirectory({ fs, directory: layout.packs, makeKeep, makeFile, objects });
  const chain = openChain({ fs, links, layout, shared, packs, objects });
  const requests = openRequests({
    ...{ fs, host, links, layout, shared, objects, chain },
    hasComeIn: (commit, end) => adoption.hasComeIn(commit, end),
  });
  const merger = openPackMerger({
    fs,
    host,
    directory: layout.packs,
    shared,
    objects,
    // If the newest commit's name in the chain is lost, its pack is the only trace of its request.
    beforeRetiring: async () => requests.rememberUnlessLost(await chain.refresh()),
  });
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
  const landing = { trace, host, chain, requests, packs, objects };
  const externalRefs = openExternalRefs(fs, layout, temporaryName);
  const adoption = openAdoption({
    shared,
    chain,
    ref,
    externalRefs,
    requests,
    objects,
    mergeForeign,
    // The merged commits are not in the ref's history. Moving the ref is left to the follow-up, when no other
    // call competes for its lock.
    land: (end, request) =>
      landCommit({ ...landing, prepareMove: async () => NO_MOVE }, { end, fresh: true }, request),
    prepare,
    wasMadeHere: (commit, text) => wasMadeHere(fs, layout, commit, text),
    hasChainLeftTraces: (named) => hasChainLeftTraces({ fs, layout, ...readingAnew(fs, objects) }, named),
  });
  const after = { fs, host, layout, shared, chain, ref, requests, packs, merger, adoption };
  const followUp = openFollowUp(after);
  // In turn: writers of one process would only take the chain from each other, and the losers would have to
  // build again.
  const inTurn = openSerialQueue();

  /** The end of the chain. Has the ref follow if it was left behind. */
  async function reach(): Promise<ChainEnd> {
    const reached = await adoption.refresh();
    followUp.keepUp(reached);
    return reached.end;
  }

  const pushing: MergeParts = {
    ...landing,
    prepareMove: followUp.prepareMove,
    reach,
    inTurn,
    prepare,
    covers: adoption.covers,
    wasMadeHere: (commit, text) => wasMadeHere(fs, layout, commit, text),
  };

  async function head(): Promise<Oid | null> {
    const { commit, behind } = await adoption.head();
    followUp.keepUp({ behind });
    return commit;
  }

  /** If no other process has written lately, a look at the chain is a round trip that brings nothing. */
  async function start(): Promise<Start> {
    const end = chain.known();
    if (shared && end && chain.isQuiet()) return { end, fresh: false };
    return { end: await trace('head', reach), fresh: true };
  }

  async function commit(asked: CommitRequest): Promise<CommitOutcome> {
    requireUnreserved(asked.requestId);
    const request = { ...asked, requestId: requestIdOf(asked.requestId, asked.person) };
    return inTurn(async () => {
      // Look first: if these directories are lost, so is the chain.
      const from = await start();
      await prepare();
      try {
        return await landCommit({ ...landing, prepareMove: followUp.prepareMove }, from, request);
      } finally {
        // After the answer, so that no caller waits for it.
        if (spares) void host.wait(0).then(spares.prepare);
      }
    });
  }

  async function push(request: PushRequest): Promise<PushOutcome> {
    // Before its turn: to judge a push takes seconds, in which others write.
    const early = await outcomeWithoutPush(pushing, request);
    if (early !== null) return early;
    const received = await request.receive();
    return inTurn(async () => {
      const end = await reach();
      await prepare();
      if ((end?.commit ?? null) === request.from) return landPush(pushing, end, request, received);
      const moved: PushOutcome = { kind: 'moved', head: end?.commit ?? null };
      return (await outcomeWithoutPush(pushing, request)) ?? moved;
    });
  }

  // On a local disk the look at the head takes in what the ref names.
  const isLost = async (named: Oid) => shared && (await adoption.lacks(named));
  const check = (run: Run) => checkWiki({ fs, layout, chain, ref, head, isLost, judge }, run);

  async function repair(run: Run): Promise<RepairReport> {
    const following = {
      prepare,
      adopt: async (first: Oid | null) => {
        const outcome = shared && first !== null ? await adoption.takeBack(first) : 'held';
        await reach();
        return outcome;
      },
      takeRest: adoption.takeRest,
      rememberBeyond: adoption.rememberBeyond,
      leaveRef: followUp.leave,
      remember: requests.remember,
    };
    const own = { fs, host, layout, chain, ref, packs, makeKeep, objects, inTurn };
    const report = await repairWiki({ ...own, ...following }, run);
    await followUp.settle();
    return report;
  }

  return {
    branch,
    head: () => trace('head', head),
    read: (oid) => objects.read(oid),
    size: (oid) => objects.size(oid),
    beginning: (oid, most) => objects.beginning(oid, most),
    refs: () => listRefs(fs, layout),
    readMuch: (work) => objects.readMuch(work),
    expand: (prefix, limit) => objects.expand(prefix, limit),
    commit,
    push,
    merge: (request) => mergeForeignHistory(pushing, request),
    settle: followUp.settle,
    packedEntries: () => openPackedEntries(fs, layout.packs),
    async packedBytes() {
      const packs = await listPacks(fs, layout.packs);
      return packs.reduce((bytes, { size }) => bytes + size, 0);
    },
    async tidy(goOn = () => true) {
      const reached = await reach();
      await prepare();
      // The newest commit's pack is the only trace of its request, and packs are merged.
      await requests.rememberUnlessLost(reached);
      const named = shared ? await ref.read() : null;
      if (named?.kind === 'commit') await adoption.rememberBeyond(named.commit);
      await followUp.settle();
      const markIndexed = async () => {
        if (!mark?.indexed) await writeMark(true);
      };
      const own = { fs, host, layout, shared, chain, ref, externalRefs, merger, objects };
      return tidy({ ...own, reached, markIndexed }, goOn);
    },
    check: () => check(Run.toItsEnd()),
    repair: () => repair(Run.toItsEnd()),
    checkInSteps: (limits) => inSteps({ fs, host, layout }, 'check', limits, check),
    repairInSteps: (limits) => inSteps({ fs, host, layout }, 'repair', limits, repair),
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

function requireUnreserved(requestId: string): void {
  const prefix = [FOREIGN_REQUEST, MERGE_REQUEST].find((own) => requestId.startsWith(own));
  if (prefix === undefined) return;
  const message = `Request ids that begin with ${prefix} are the wiki's own.`;
  throw new StorageError('request_reused', message, { requestId });
}
