import type { ObjectReader, Oid } from '../storage.ts';
import type { CommitChain } from './chain.ts';
import type { ChainEnd } from './chain-link.ts';
import type { ExternalRefs } from './external-refs.ts';
import { commitsBeside, type DatedCommit, readIfThere } from './history.ts';
import type { RequestIdentity, Requests } from './requests.ts';

/** Which of the commits that native git made beside the wiki came into it, each in another form. */
export interface BroughtIn {
  /** Whether a commit came in at or before `end`, by itself or with a later one on top of it. */
  includes(commit: Oid, end: ChainEnd): Promise<boolean>;
}

/** The ids of the requests by which foreign commits come in; no caller may use one. */
export const FOREIGN_REQUEST = 'external-commit-';

export function requestFor(foreign: Oid): RequestIdentity {
  return { requestId: FOREIGN_REQUEST + foreign, digest: foreign };
}

export interface BroughtInParts {
  externalRefs: ExternalRefs;
  requests: Requests;
  chain: CommitChain;
  objects: ObjectReader;
}

export function openBroughtIn({ externalRefs, requests, chain, objects }: BroughtInParts): BroughtIn {
  /** Of what external refs reach beside the chain: which commits have it as their parent. */
  const onTop = new Map<Oid, Oid[]>();
  const learned = new Set<Oid>();

  async function includes(commit: Oid, end: ChainEnd): Promise<boolean> {
    const cameIn = async (foreign: Oid) => (await requests.find(requestFor(foreign), end)) !== null;
    if (await cameIn(commit)) return true;
    const externals = new Set(await externalRefs.list());
    for (const external of externals) await learn(external);
    const above = new Set(onTop.get(commit));
    for (const later of above) {
      if (externals.has(later) && (await cameIn(later))) return true;
      for (const next of onTop.get(later) ?? []) above.add(next);
    }
    return false;
  }

  /**
   * There may be many, mostly one on top of the other: each commit is read once, and none of the chain nor of what was
   * there before it. What is lost is not walked past; the worst that can come of it is that a commit comes in by
   * itself which had come in with another one.
   */
  async function learn(external: Oid): Promise<void> {
    if (learned.has(external)) return;
    const first = await chain.successor(null);
    if (first === null) return;
    const found: DatedCommit[] = [];
    for await (const commit of commitsBeside(objects, { from: external, beside: first, read }))
      found.push(commit);
    // Only now, as whoever asks meanwhile would not walk past what is learned.
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

  return { includes };
}
