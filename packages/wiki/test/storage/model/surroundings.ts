import {
  isReadable,
  type Lock,
  type Oid,
  type Process,
  type Repository,
  ROOT,
  reachable,
  type Steps,
  type World,
} from './repository.ts';

/** Someone fetches, commits and pushes with native git; the push is refused when the branch moved since. */
export function* push(world: World, process: Process, name: string, copiedRequestId: string | null): Steps {
  const { repository } = world;
  yield;
  const fetched = repository.ref;
  if (fetched === 'torn') return;
  const number = world.nextNumber();
  yield;
  repository.commits.set(name, { oid: name, parent: fetched, applies: [name], requestId: copiedRequestId });
  const objects = new Set([name]);
  const pack = { objects, upload: number, index: number, kept: true, durable: true, shown: true };
  repository.packs.set(name, pack);
  yield;
  if (repository.lock !== null) return;
  const lock: Lock = { owner: process.id, content: null };
  repository.lock = lock;
  yield;
  if (repository.ref !== fetched) {
    repository.lock = null;
    return;
  }
  yield;
  lock.content = name;
  yield;
  // git renames the lock over the ref: whatever lies under the lock's name becomes the ref.
  if (repository.lock === null) return;
  repository.ref = repository.lock.content ?? 'torn';
  repository.lock = null;
  world.acknowledged.add(name);
  yield;
  pack.kept = false;
}

/** `git gc --prune=now`: what no ref reaches is gone, but for
 * packs with a keep, whose objects are left out of the new pack, and packs that came later. */
export function* collectGarbage(world: World): Steps {
  const { repository } = world;
  yield;
  const listed = [...repository.packs].filter(([, pack]) => !pack.kept).map(([name]) => name);
  yield;
  const { ref } = repository;
  if (ref === 'torn') return;
  const roots = [ref, ...repository.external];
  const packs = [...repository.packs.values()];
  const isKept = (oid: Oid) => packs.some((pack) => pack.kept && isReadable(pack) && pack.objects.has(oid));
  const needed = roots.flatMap((oid) => reachable(repository, oid));
  const number = world.nextNumber();
  repository.packs.set(`gc-${number}`, {
    objects: new Set(needed.filter((oid) => isStored(world, oid) && !isKept(oid))),
    upload: number,
    index: number,
    kept: false,
    durable: true,
    shown: true,
  });
  for (const name of listed) {
    yield;
    repository.packs.delete(name);
  }
}

export function isStored(world: World, oid: Oid): boolean {
  for (const pack of world.repository.packs.values()) {
    if (pack.objects.has(oid) && isReadable(pack)) return true;
  }
  return false;
}

/** Hours pass while processes run or stand still: nothing may rely on little time having passed. */
export function* letHoursPass(world: World): Steps {
  while (world.repository.hours < 60) {
    yield;
    world.repository.hours += 6;
  }
}

/** Everyone goes home and comes back about when the ids of the first day are too old. */
export function letADayPass(world: World): void {
  killAll(world);
  world.repository.hours = 18 + Math.floor(world.random() * 12);
}

/** Every process is killed; nothing else is lost. */
export function killAll({ repository }: World): void {
  // The lock of a git that died is removed by its user, as git asks for.
  if (repository.lock?.content?.startsWith('push')) repository.lock = null;
}

/** The power goes: of what was not synced anything may be gone. Native git is content with what is left. */
export function losePower(world: World): void {
  const { repository } = world;
  const isLost = (item: { durable: boolean }) => !item.durable && world.random() < 0.5;
  for (const [name, link] of repository.chain) if (isLost(link)) repository.chain.delete(name);
  for (const [name, entry] of repository.requests) if (isLost(entry)) repository.requests.delete(name);
  for (const [name, pack] of repository.packs) {
    if (isLost(pack)) repository.packs.delete(name);
    else if (!pack.shown && world.random() < 0.5) pack.index = null;
  }
  const { ref } = repository;
  const named = ref === 'torn' ? [] : reachable(repository, ref);
  if (named.some((oid) => !isStored(world, oid))) world.failures.push('the ref names what git cannot read');
  killAll(world);
}

/**
 * The directory is replaced by a copy that was made while it was written: the chain was read first, its
 * newest links are missing. What was acknowledged is not promised any more.
 */
export function restoreCopy(world: World): void {
  const { repository } = world;
  const kept = Math.floor(world.random() * repository.chain.size);
  for (const name of [...repository.chain.keys()].slice(kept)) repository.chain.delete(name);
  setChainHead(repository);
  repository.ref = repository.chainHead;
  repository.lock = null;
  world.acknowledged.clear();
}

/** Sets the hint of where to start to a commit that is surely in the chain: its end. */
function setChainHead(repository: Repository): void {
  repository.chainHead = ROOT;
  for (let link = repository.chain.get(ROOT); link; link = repository.chain.get(link.child)) {
    repository.chainHead = link.child;
  }
}
