import type { Projection } from '@pagetree/wiki/contract';
import { encodeName, type Name } from '@pagetree/wiki/names';
import { EMPTY_TREE, type GitObject, type Oid } from '@pagetree/wiki/oid';
import type { BranchSide } from '../branch-side.ts';
import type { Remote } from '../transport/remote.ts';
import { RemoteFailure } from '../transport/remote-failure.ts';
import type { WikiSide } from '../wiki-side.ts';
import { type Noted, noteBetween } from './between.ts';
import { bringCommits, type LineCommit } from './bring-commits.ts';
import { changingCommits } from './changing-commits.ts';
import { closureOf } from './closure.ts';
import { wordsFor } from './describe-commits.ts';
import { FolderFetch } from './fetch-folder.ts';
import type { Bases } from './find-bases.ts';
import { keepPairs, type Pair, readPairs, storedObjects } from './kept-pairs.ts';
import { type LineParts, lineToPush, type NewObjects, oneForAll } from './line-to-push.ts';
import { NOTHING, type Outside, readerOf } from './outside.ts';
import { type BuiltCommit, buildCommit } from './raw-commit.ts';
import { searchBases } from './search-bases.ts';
import { WikiObjects } from './wiki-objects.ts';
import { withStored, writePack } from './write-pack.ts';

/** The knowledge of a sync about the folder. It changes as the sync goes on, so that it is kept if the sync fails later. */
export interface KeptProjection {
  projection: Projection;
}

export interface FolderBranchParts {
  side: WikiSide;
  remote: Remote;
  kept: KeptProjection;
  /** The full name. */
  branch: string;
  /** The commit of the branch; null if the remote has no such branch. */
  tip: Oid | null;
  /** The same, or the commit on which the branch begins if it is not there; null for one without earlier commits. */
  start: Oid | null;
  /** The head of the wiki. */
  head: Oid | null;
  shown: string;
  /** True if nothing may come into the wiki. */
  isPushOnly: boolean;
  signal: AbortSignal | undefined;
}

/** A branch of a remote, of which one folder is the wiki. */
export async function openFolderBranch(parts: FolderBranchParts): Promise<BranchSide> {
  const branch = new FolderBranch(parts);
  await branch.look();
  return branch;
}

/**
 * A commit of the wiki stands for the newest one of the remote. It comes after those commits of the wiki that the remote has,
 * so that a merge has the bases that it would have if both were one history. A push makes one commit on the newest one of
 * the remote. A header in each of them names what it stands for: that is found again whatever was lost.
 */
class FolderBranch implements BranchSide {
  tip: Oid | null = null;
  readonly #parts: FolderBranchParts;
  readonly #path: readonly Name[];
  readonly #wiki: WikiObjects;
  readonly #fetched: FolderFetch;
  /** The remote now. */
  #outside: Outside = NOTHING;
  #pairs: Pair[] = [];
  /** Commits of the wiki that the remote got by a push, as its history says. */
  #pushed: readonly Oid[] = [];
  #made: BuiltCommit | null = null;
  #noted: Noted | null = null;
  #standWithoutNote: () => Promise<Oid | null> = async () => this.tip;
  /** The ids of what the wiki has of the folder already. */
  #known: ReadonlySet<Oid> = new Set();

  constructor(parts: FolderBranchParts) {
    this.#parts = parts;
    this.#path = parts.kept.projection.folder.split('/').map(encodeName);
    this.#wiki = new WikiObjects(parts);
    const stored = readerOf(storedObjects(parts.kept.projection));
    this.#fetched = new FolderFetch({ ...parts, path: this.#path, stored });
  }

  get receivedBytes(): number {
    return this.#fetched.receivedBytes;
  }

  get note(): Oid | null {
    return this.#noted?.note.oid ?? null;
  }

  get isThere(): boolean {
    return this.#parts.tip !== null;
  }

  /** Finds or makes the commit that stands for that of the remote. */
  async look(): Promise<void> {
    const { start, kept, shown, isPushOnly } = this.#parts;
    this.#pairs = await this.#inHistory(readPairs(kept.projection, this.#path));
    if (start === null) return;
    const same = this.#pairs.find(({ outside }) => outside.commit?.oid === start);
    if (same !== undefined) {
      this.#outside = same.outside;
      this.tip = same.wiki;
      return;
    }
    const { folder } = kept.projection;
    const parts = { fetched: this.#fetched, wiki: this.#wiki, pairs: this.#pairs, folder, shown };
    const bases = await searchBases(start, parts);
    this.#pushed = bases.pushed;
    const { head } = this.#parts;
    const [first] = bases.wiki;
    const baseTree = first === undefined ? null : await this.#wiki.treeOf(first);
    // Without a common state the wiki may still have most of the folder, as after an import.
    const had = baseTree ?? (head === null ? null : await this.#wiki.treeOf(head));
    this.#known = await this.#wiki.idsOf(had ?? EMPTY_TREE);
    // Nothing of what the remote has changed is taken in by a sync that may only push.
    this.#outside = await this.#fetched.tip(start, isPushOnly ? null : this.#known);
    if (head !== null && !isPushOnly)
      this.#noted = await noteBetween(bases, { ...parts, known: this.#known, head });
    this.#standWithoutNote = () => this.#standFor(bases, baseTree);
    const noted = this.#noted;
    this.tip = await (noted === null
      ? this.#standWithoutNote()
      : this.#standFor({ ...bases, wiki: noted.bases }, noted.stand[0]?.tree ?? null));
  }

  async dropNote(): Promise<void> {
    this.#noted = null;
    this.#made = null;
    this.tip = await this.#standWithoutNote();
  }

  /** The wiki may have been put back. */
  async #inHistory(pairs: readonly Pair[]): Promise<Pair[]> {
    const found: Pair[] = [];
    for (const pair of pairs)
      if (pair.wiki === null || (await this.#wiki.isInHistory(pair.wiki))) found.push(pair);
    return found;
  }

  async #standFor({ wiki: bases, since, ways }: Bases, baseTree: Oid | null): Promise<Oid | null> {
    const { folder, commit: newest } = this.#outside;
    const [base, ...others] = bases;
    if (newest === null || (base === undefined && folder === EMPTY_TREE)) return null;
    const { head, kept, shown, isPushOnly } = this.#parts;
    const isSame = base !== undefined && others.length === 0 && folder === baseTree;
    if (isSame && isPushOnly) return base;
    const looked = { fetched: this.#fetched, pairs: this.#pairs };
    const commits = base === undefined ? [] : await changingCommits(since, ways, looked);
    // What was changed and taken back is noted: a branch may begin in between.
    if (isSame && commits.length === 0) return base;
    const isCopy = base === undefined && head !== null && folder === (await this.#wiki.treeOf(head));
    if (isCopy && isPushOnly) return head;
    const named = `${kept.projection.folder}/`;
    const words = wordsFor({
      commits,
      newest,
      fallback: `${named} of ${shown} at ${newest.oid.slice(0, 9)}`,
      changes: `changes of ${named}`,
    });
    const stands = { side: 'remote', oid: newest.oid, folder: kept.projection.folder } as const;
    // A wiki that began with a copy of the folder has no other trace of that.
    this.#made = buildCommit({ tree: folder, parents: isCopy ? [head] : bases, words, stands });
    return this.#made.oid;
  }

  async fetch(commit: Oid): Promise<Uint8Array | null> {
    const noted =
      this.#noted !== null && commit === this.note ? [...this.#noted.stand, this.#noted.note] : [];
    const commits = noted.length === 0 && this.#made !== null ? [this.#made] : noted;
    if (commits.length === 0) return null;
    const { objects } = this.#fetched;
    const trees = commits.map(({ tree }) => tree);
    const { found } = await closureOf(trees, objects, this.#known);
    const all: GitObject[] = commits.map(({ bytes: content }) => ({ type: 'commit', content }));
    if (trees.includes(EMPTY_TREE)) all.push({ type: 'tree', content: new Uint8Array(0) });
    return writePack(withStored(all, found, objects), all.length + found.size, this.#parts.signal);
  }

  met(head: Oid | null): void {
    this.#keep({ wiki: this.tip, outside: this.#outside, isInStep: head === this.tip });
  }

  async push(head: Oid): Promise<number> {
    const objects = await this.#newObjects(head);
    // A new branch may begin where the wiki is.
    const line = head === this.tip ? [] : await lineToPush(head, objects, this.#side);
    try {
      return await this.#send(head, line, objects);
    } catch (error) {
      const isRefused = error instanceof RemoteFailure && error.code === 'refused' && line.length > 1;
      if (!isRefused) throw error;
      // A later commit may have put right what the remote refuses of an earlier one.
      return this.#send(head, [await oneForAll(head, objects, this.#side)], objects);
    }
  }

  async #send(head: Oid, line: readonly LineCommit[], objects: NewObjects): Promise<number> {
    const { side, remote, branch, signal, kept, tip: from } = this.#parts;
    const brought = bringCommits(line, this.#outside, kept.projection.folder);
    const to = brought.outside.commit?.oid ?? null;
    if (to === null || to === from) {
      this.#keep({ wiki: head, outside: brought.outside, isInStep: true });
      return 0;
    }
    const known = await this.#wiki.idsOf(this.#outside.folder);
    const { stored } = objects;
    let closure = await closureOf(brought.folders, stored, known);
    // Older versions of pages came back: the wiki has them in its history, and the remote need not have them.
    for (let round = 0; closure.missing.size > 0 && round < MAX_ROUNDS; round += 1) {
      const more = await side.objects({ wants: [...closure.missing].slice(0, MAX_WANTS) });
      if (more === null) throw this.#tooLarge();
      await stored.add(more, signal);
      closure = await closureOf(brought.folders, stored, known);
    }
    // A folder of the wiki may be the same as one above.
    for (const oid of brought.objects.keys()) closure.found.delete(oid);
    const all = withStored([...brought.objects.values()], closure.found, stored);
    const sent = await writePack(all, brought.objects.size + closure.found.size, signal);
    await remote.push({ ref: branch, from, to, pack: sent }, signal);
    this.#keep({ wiki: head, outside: brought.outside, isInStep: true });
    return sent.length;
  }

  /** The objects that the wiki has and the remote lacks; only the newest state if both were never in step. */
  async #newObjects(head: Oid): Promise<NewObjects> {
    const { side } = this.#parts;
    const isKnown = this.tip !== null && (await this.#hasBeenInStep(this.tip));
    const since =
      isKnown && this.tip !== null ? await side.objects({ wants: [head], haves: [this.tip] }) : null;
    const pack = since ?? (await side.objects({ wants: [head], depth: 1 }));
    if (pack === null) throw this.#tooLarge();
    return { stored: await this.#wiki.read(pack), isSince: since !== null };
  }

  /** True if the remote had all that the wiki was at a commit in the history of this one. */
  async #hasBeenInStep(commit: Oid): Promise<boolean> {
    if (this.#pushed.length > 0) return true;
    for (const { wiki, isInStep } of this.#pairs)
      if (isInStep && wiki !== null && (await this.#wiki.isInHistory(wiki, commit))) return true;
    return false;
  }

  get #side(): LineParts {
    const { folder } = this.#parts.kept.projection;
    // The wiki may give more than it has to: of commits of one second it does not know which is newer.
    const known = [this.tip, ...this.#pushed, ...this.#pairs.map(({ wiki }) => wiki)];
    return { wiki: this.#wiki, tip: this.tip, known: new Set(known), folder };
  }

  #tooLarge(): RemoteFailure {
    return new RemoteFailure('too_large', { remote: this.#parts.shown, reason: 'push' });
  }

  /** Beside the newest pair the last one that was in step: it tells that the remote has what the wiki was. */
  #keep(pair: Pair): void {
    const { kept } = this.#parts;
    const inStep = pair.isInStep ? undefined : this.#pairs.find(({ isInStep }) => isInStep);
    kept.projection = keepPairs(kept.projection.folder, inStep === undefined ? [pair] : [pair, inStep]);
  }
}

const MAX_WANTS = 5_000;
/** Each asks for what the folders of the one before hold. */
const MAX_ROUNDS = 300;
