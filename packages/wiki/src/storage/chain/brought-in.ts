import { parseCommit } from '../objects/commit-text.ts';
import type { ObjectReader, Oid } from '../storage.ts';
import type { CommitChain } from './chain.ts';
import type { ChainEnd } from './chain-link.ts';
import type { ExternalRefs } from './external-refs.ts';
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
  /** The commits on top of each that an external ref reaches outside the chain. Refs only ever get more. */
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

  /** There may be many, mostly one on top of the other: each commit is read once, and of the chain's none. */
  async function learn(external: Oid): Promise<void> {
    const met = new Set([external]);
    const found = new Map<Oid, Oid[]>();
    for (const commit of met) {
      if (learned.has(commit) || (await chain.hasSuccessor(commit))) continue;
      const { parents } = parseCommit((await objects.read(commit)).content);
      found.set(commit, parents);
      for (const parent of parents) met.add(parent);
    }
    // Only now, for what was learned is never read again, and one of them may not be there.
    for (const [commit, parents] of found) {
      learned.add(commit);
      for (const parent of parents) onTop.set(parent, [...(onTop.get(parent) ?? []), commit]);
    }
  }

  return { includes };
}
