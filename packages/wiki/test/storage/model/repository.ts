import type { Rule } from './rules.ts';

export type Oid = string;

/** The name under which the first commit is linked: forty zeros in the real chain. */
export const ROOT: Oid = 'root';

export interface Commit {
  oid: Oid;
  parent: Oid;
  /** The names of the changes that this commit brings; a head is judged by what its history brings. */
  applies: readonly string[];
  /** The request id in its trailers, which a native push may have copied from anywhere. */
  requestId: string | null;
}

interface Link {
  child: Oid;
  /** Linked by an adoption: the commit came by a native push. */
  pushed: boolean;
  durable: boolean;
}

interface Pack {
  /** Commits, and the one text that all writes have in common. */
  objects: ReadonlySet<Oid>;
  /** Which upload wrote the pack, and which one its index: a pack is readable when they are the same. */
  upload: number;
  index: number | null;
  kept: boolean;
  durable: boolean;
  /** True if the index survives a power cut in its place; otherwise it is left under its temporary name. */
  shown: boolean;
}

interface Entry {
  commit: Oid;
  durable: boolean;
}

/** git's own lock file beside the ref. */
export interface Lock {
  owner: number;
  content: Oid | null;
}

/** One shared directory, reduced to what the protocol reads and writes. */
export interface Repository {
  commits: Map<Oid, Commit>;
  packs: Map<string, Pack>;
  chain: Map<Oid, Link>;
  chainHead: Oid;
  requests: Map<string, Entry>;
  ref: Oid | 'torn';
  lock: Lock | null;
  /** Names made once for ever by the process that takes over a dead lock: the lock's owner and the taker. */
  claims: Map<number, number>;
  external: Set<Oid>;
  /** Hours since the start; every id of a run is made at hour 0. */
  hours: number;
}

/** One machine: its clock, and what it believes of the shared directory. */
export interface Client {
  head: Oid | null;
  /** Names that were missing when last probed, as an NFS client remembers them. */
  absent: Set<string>;
  packs: Map<Oid, string> | null;
  skewHours: number;
}

/**
 * The shared state of all processes of one run: the repository, chance, the omitted rule, and the promises
 * made.
 */
export interface World {
  repository: Repository;
  mode: 'local' | 'nfs';
  leftOut: Rule | null;
  random: () => number;
  nextNumber: () => number;
  isDead: (process: number) => boolean;
  acknowledged: Set<string>;
  failures: string[];
}

export interface Process {
  id: number;
  client: Client;
}

/** The object that every write adds besides its commit: two packs may hold the same object. */
export const TEXT: Oid = 'text';

/** A process stands still at each `yield`, for a step or for ever; between two of them nobody interferes. */
export type Steps<Result = void> = Generator<void, Result, void>;

export function keeps(world: World, rule: Rule): boolean {
  return world.leftOut !== rule;
}

export function emptyRepository(): Repository {
  return {
    commits: new Map(),
    packs: new Map(),
    chain: new Map(),
    chainHead: ROOT,
    requests: new Map(),
    ref: ROOT,
    lock: null,
    claims: new Map(),
    external: new Set(),
    hours: 0,
  };
}

/** The commit and its ancestors, newest first. */
export function history(repository: Repository, oid: Oid): Commit[] {
  const commits: Commit[] = [];
  for (let next = repository.commits.get(oid); next; next = repository.commits.get(next.parent)) {
    commits.push(next);
  }
  return commits;
}

/** All that a ref at this commit reaches. */
export function reachable(repository: Repository, oid: Oid): Oid[] {
  const commits = history(repository, oid).map((commit) => commit.oid);
  return commits.some(isOurs) ? [...commits, TEXT] : commits;
}

/** Without its index a pack is none. */
export function isReadable(pack: Pack): boolean {
  return pack.index === pack.upload;
}

/** Commits of native git have plain names. */
export function isOurs(oid: Oid): boolean {
  return oid.includes('@');
}

export function contains(repository: Repository, head: Oid, oid: Oid): boolean {
  return oid === ROOT || history(repository, head).some((commit) => commit.oid === oid);
}

export function isPushed(repository: Repository, oid: Oid): boolean {
  for (const link of repository.chain.values()) {
    if (link.child === oid) return link.pushed;
  }
  return true;
}
