import {
  contains,
  history,
  keeps,
  type Lock,
  type Oid,
  type Process,
  type Repository,
  type Steps,
  type World,
} from './repository.ts';
import { commit, ensureEntry, freshHead, link, type Request, syncChain, syncPacks } from './writer.ts';

/**
 * A client's call: takes in what native git did, commits, and moves the branch when the caller has long been
 * answered.
 */
export function* write(world: World, process: Process, request: Request): Steps {
  const found = world.repository.ref;
  if (world.mode === 'local' && found !== 'torn') {
    const tip = yield* freshHead(world, process.client);
    if (!isCovered(world, tip, found)) yield* adopt(world, process, tip, found);
  }
  const made = yield* commit(world, process, request);
  if (made !== null) yield* moveBranch(world, process);
}

/** Brings the branch to the newest commit, and what native git did to the branch into the chain. */
export function* moveBranch(world: World, process: Process): Steps {
  const { repository } = world;
  if (world.mode === 'nfs') {
    const tip = yield* freshHead(world, process.client);
    yield;
    repository.ref = tip;
    repository.chainHead = tip;
    return;
  }
  const seen = repository.ref;
  const known = keeps(world, 'the ref never moves back') ? null : yield* freshHead(world, process.client);
  const lock = keeps(world, 'the ref moves under its lock') ? yield* takeLock(world, process) : undefined;
  if (lock === null) return;
  yield;
  const found = keeps(world, 'a second look under the lock') ? repository.ref : seen;
  const tip = yield* freshHead(world, process.client);
  if (!isCovered(world, tip, found)) {
    yield;
    if (lock) repository.lock = null;
    if (found !== 'torn') yield* adopt(world, process, tip, found);
    return;
  }
  if (keeps(world, 'the link is durable before the ref')) yield* syncChain(world);
  if (keeps(world, 'the packs are settled before the ref')) yield* syncPacks(world);
  yield;
  repository.ref = known ?? tip;
  repository.chainHead = known ?? tip;
  if (lock) {
    yield;
    repository.lock = null;
  }
  yield;
  for (const pack of repository.packs.values()) {
    if ([...pack.objects].some((oid) => contains(repository, known ?? tip, oid))) pack.kept = false;
  }
}

/** True if no commit of `found` is missing once the ref moves to `tip`. */
function isCovered(world: World, tip: Oid, found: Oid | 'torn'): boolean {
  const { repository } = world;
  if (found === 'torn' || contains(repository, tip, found)) return true;
  if (isImported(repository, tip, found)) return true;
  const ahead = contains(repository, found, tip);
  return !keeps(world, ahead ? 'a push is adopted' : 'a push beside a write is brought in');
}

function* adopt(world: World, process: Process, tip: Oid, pushed: Oid): Steps {
  const { repository } = world;
  if (contains(repository, pushed, tip)) {
    if (keeps(world, 'an entry before an adoption')) yield* ensureEntry(world, tip);
    yield;
    link(world, process.client, tip, pushed, true);
    yield* syncChain(world);
    return;
  }
  repository.external.add(pushed);
  const derived = keeps(world, 'the id of an import is its commit');
  const made = yield* commit(world, process, {
    id: importId(pushed) + (derived ? '' : `/${world.nextNumber()}`),
    ageless: true,
    applies: (_, base) => missingChanges(repository, base, pushed),
  });
  if (made !== null) yield* moveBranch(world, process);
}

const importId = (pushed: Oid) => `import:${pushed}`;

/** True if a commit of the chain brought in `pushed`, by itself or with a later push on top of it. */
function isImported(repository: Repository, tip: Oid, pushed: Oid): boolean {
  return history(repository, tip).some((made) => {
    const [kind, imported] = made.requestId?.split(':') ?? [];
    return kind === 'import' && imported !== undefined && contains(repository, imported, pushed);
  });
}

/** A three-way merge, reduced: what the push has since the newest commit that the base has or has brought in. */
function missingChanges(repository: Repository, base: Oid, pushed: Oid): string[] {
  const missing: string[] = [];
  for (const made of history(repository, pushed)) {
    if (contains(repository, base, made.oid)) break;
    if (isImported(repository, base, made.oid)) break;
    missing.push(...made.applies);
  }
  return missing;
}

/** Takes git's own lock; null if a process that may live holds it. */
function* takeLock(world: World, process: Process): Steps<Lock | null> {
  const { repository } = world;
  yield;
  if (repository.lock !== null) {
    const { owner } = repository.lock;
    if (keeps(world, 'only a dead lock is taken over') && !world.isDead(owner)) return null;
    if (keeps(world, 'one taker for a dead lock')) {
      yield;
      const taker = repository.claims.get(owner);
      if (taker !== undefined && !world.isDead(taker)) return null;
      repository.claims.set(owner, process.id);
      yield;
      if (repository.lock?.owner !== owner) return null;
    }
    yield;
    repository.lock = null;
    yield;
  }
  if (repository.lock !== null) return null;
  const lock: Lock = { owner: process.id, content: null };
  repository.lock = lock;
  return lock;
}
