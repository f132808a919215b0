import type { Oid } from '@pagetree/wiki/oid';
import type { FolderFetch } from './fetch-folder.ts';
import type { Pair } from './kept-pairs.ts';
import type { Outside } from './outside.ts';
import { isOvertaken } from './overtaken.ts';
import type { RawCommit } from './raw-commit.ts';
import type { WikiObjects } from './wiki-objects.ts';

export interface ClaimsParts {
  fetched: FolderFetch;
  wiki: WikiObjects;
  folder: string;
  /** The pairs of the report. */
  pairs: readonly Pair[];
  /** Commits of the wiki, newest first. */
  own: ReadonlyMap<Oid, RawCommit>;
  /** The commit of the wiki that has all others in its history. */
  before?: Oid;
  /** Commits of the remote, each with those of the wiki that stand for it. The remote need not send them. */
  taken?: ReadonlyMap<Oid, readonly Oid[]> | undefined;
}

/** Which commits of the wiki stand for commits of the remote, as the headers of both sides claim it. */
export class Claims {
  /** The commits of the remote that were looked at, with those of the wiki that stand for each. */
  readonly settled: Map<Oid, readonly Oid[]>;
  /** Those for which none of the wiki stands as a whole: older ones may stand for more. */
  readonly inPart = new Set<Oid>();
  /** The ways to folders that were found. */
  readonly ways = new Map<Oid, Outside>();
  /** Commits of the wiki that the remote got by a push: it has what the wiki was then. */
  readonly pushed = new Set<Oid>();
  /** False if the folder of a commit with a header could not be read: a server leaves out trees that older commits have too. */
  isSure = true;
  readonly #parts: ClaimsParts;
  readonly #own: ReadonlyMap<Oid, readonly Oid[]>;

  constructor(parts: ClaimsParts) {
    this.#parts = parts;
    this.#own = claimsOf(parts.own.values(), parts.folder);
    this.settled = new Map(parts.taken);
    for (const { wiki, outside } of parts.pairs)
      if (wiki !== null && outside.commit !== null) this.settled.set(outside.commit.oid, [wiki]);
  }

  /** The commits of the wiki that may stand for this one. Those that say so themselves come before the one that the header names. */
  of(commit: RawCommit): Oid[] {
    const header = this.#named(commit);
    return [...(this.#own.get(commit.oid) ?? []), ...(header === null ? [] : [header])];
  }

  /** Looks at commits for which some of the wiki may stand. */
  async settle(commits: readonly RawCommit[]): Promise<void> {
    const { fetched, wiki } = this.#parts;
    for (const [oid, way] of await fetched.ways(commits.map(({ oid }) => oid))) this.ways.set(oid, way);
    for (const commit of commits) {
      const found = await this.#sound(commit);
      this.settled.set(commit.oid, found);
      if (found.length === 0 && !this.ways.has(commit.oid)) this.isSure = false;
      const named = [this.#named(commit), ...this.#further(commit)];
      // A person who can read the remote can compute the ids of commits that stand for it in the wiki, and forge a header with one.
      for (const oid of found)
        if (named.includes(oid) && (await wiki.commit(oid))?.stands?.side !== 'remote') this.pushed.add(oid);
    }
  }

  async #sound(commit: RawCommit): Promise<readonly Oid[]> {
    for (const oid of this.of(commit)) {
      const claim = await this.#parts.wiki.commit(oid);
      if (claim !== null && (await this.#isSound(commit, claim))) return [oid];
    }
    const further = this.#further(commit);
    const isSame = this.ways.get(commit.oid)?.folder === commit.stands?.brings?.tree;
    if (further.length === 0 || !isSame || (await this.#isOvertaken(commit, further))) return [];
    this.inPart.add(commit.oid);
    return further;
  }

  /** `git commit --amend` keeps the header of a commit. So the header counts only if both commits have the same folder. */
  async #isSound(commit: RawCommit, claim: RawCommit): Promise<boolean> {
    const isHeader = this.#named(commit) === claim.oid;
    const folder = this.ways.get(commit.oid)?.folder;
    const isSame = folder === undefined ? !isHeader : folder === claim.tree;
    if (!isSame || !(await this.#parts.wiki.isInHistory(claim.oid))) return false;
    return !isHeader || !(await this.#isOvertaken(commit, [claim.oid]));
  }

  #isOvertaken(commit: RawCommit, claim: readonly Oid[]): Promise<boolean> {
    const claimed = (oid: Oid) => this.#likely(oid);
    const stood = (oid: Oid) => this.#own.get(oid) ?? [];
    return isOvertaken(commit, claim, { ...this.#parts, claimed, stood });
  }

  #likely(oid: Oid): readonly Oid[] {
    const commit = this.#parts.fetched.commit(oid);
    const header = commit === null ? null : this.#named(commit);
    return this.settled.get(oid) ?? this.#own.get(oid) ?? (header === null ? [] : [header]);
  }

  #named({ stands }: RawCommit): Oid | null {
    return stands?.side === 'wiki' && stands.folder === this.#parts.folder ? stands.oid : null;
  }

  /** Those that came with the one that the header names count if that is lost: the wiki was put back. */
  #further(commit: RawCommit): Oid[] {
    const { own } = this.#parts;
    const brought = this.#named(commit) === null ? [] : (commit.stands?.brings?.commits ?? []);
    return brought.filter((oid) => own.has(oid));
  }
}

/** By commit of the remote, those of the wiki that say to stand for it. */
export function claimsOf(own: Iterable<RawCommit>, folder: string): Map<Oid, Oid[]> {
  const claims = new Map<Oid, Oid[]>();
  for (const { oid, stands } of own)
    if (stands?.side === 'remote' && stands.folder === folder)
      claims.set(stands.oid, [...(claims.get(stands.oid) ?? []), oid]);
  return claims;
}
