import { type ParsedCommit, parseCommit } from '../../formats/commit.ts';
import type { Oid } from '../../formats/oid.ts';
import type { CommitChain } from '../commits/chain.ts';
import type { ChainEnd, ChainLink } from '../commits/chain-link.ts';
import { commitsBeside, type DatedCommit, readIfThere } from '../commits/history.ts';
import { FOREIGN_REQUEST } from '../commits/request-name.ts';
import type { RequestIdentity, Requests } from '../commits/requests.ts';
import type { ObjectReader } from '../storage.ts';
import { StorageError } from '../storage-error.ts';
import type { ExternalRefs } from './external-refs.ts';

/** Knows which foreign commits, made by native git beside the wiki, came into it in another form. */
export interface BroughtIn {
  /** True if a commit came in at or before `end`, by itself or below a later one. */
  includes(commit: Oid, end: ChainEnd): Promise<boolean>;
  /** Has the requests of this wiki's own commits remembered that `foreign` is about to bring in beside `end`. */
  remember(foreign: Oid, end: ChainLink): Promise<void>;
}

export function requestFor(foreign: Oid): RequestIdentity {
  return { requestId: FOREIGN_REQUEST + foreign, digest: foreign };
}

export interface BroughtInParts {
  externalRefs: ExternalRefs;
  requests: Requests;
  chain: CommitChain;
  objects: ObjectReader;
  /** True if a writer of this branch made the commit, as far as this can be known without the chain. */
  wasMadeHere(commit: Oid, text: ParsedCommit): Promise<boolean>;
}

export function openBroughtIn({
  externalRefs,
  requests,
  chain,
  objects,
  wasMadeHere,
}: BroughtInParts): BroughtIn {
  /** For each commit that external refs reach beside the chain: the commits that have it as their parent. */
  const onTop = new Map<Oid, Oid[]>();
  const learned = new Set<Oid>();

  async function includes(commit: Oid, end: ChainEnd): Promise<boolean> {
    if (await cameIn(commit, end)) return true;
    const externals = new Set(await externalRefs.list());
    for (const external of externals) await learn(external);
    const above = new Set(onTop.get(commit));
    for (const later of above) {
      if (externals.has(later) && (await cameIn(later, end))) return true;
      for (const next of onTop.get(later) ?? []) above.add(next);
    }
    return false;
  }

  async function cameIn(foreign: Oid, end: ChainEnd): Promise<boolean> {
    try {
      return (await requests.find(requestFor(foreign), end)) !== null;
    } catch (error) {
      if (!(error instanceof StorageError) || error.code !== 'write_state_unknown') throw error;
      // The commit that brought it in is lost since, and a repair kept what was left of it.
      return true;
    }
  }

  /**
   * There may be many external refs, mostly one on top of the other. So each commit is read once, and none of
   * the chain or of the history before it. A lost commit is not walked past. At worst, a commit then comes in
   * by itself that had already come in with another one.
   */
  async function learn(external: Oid): Promise<void> {
    if (learned.has(external)) return;
    const first = await chain.successor(null);
    if (first === null) return;
    const found: DatedCommit[] = [];
    for await (const commit of commitsBeside(objects, { from: external, beside: first, read }))
      found.push(commit);
    // Stored only now: a caller that runs meanwhile would stop at commits that are only half learned.
    for (const { oid, parents } of found) {
      if (learned.has(oid)) continue;
      learned.add(oid);
      for (const parent of parents) onTop.set(parent, [...(onTop.get(parent) ?? []), oid]);
    }
  }

  async function read(commit: Oid): Promise<DatedCommit | null> {
    if (learned.has(commit) || (await chain.hasSuccessor(commit))) return null;
    return readIfThere(objects, commit);
  }

  async function remember(foreign: Oid, end: ChainLink): Promise<void> {
    const read = (commit: Oid) => readIfThere(objects, commit);
    for await (const { oid } of commitsBeside(objects, { from: foreign, beside: end.commit, read })) {
      const text = parseCommit((await objects.read(oid)).content);
      if (await wasMadeHere(oid, text)) await requests.rememberBeside(oid);
    }
  }

  return { includes, remember };
}
