import {
  type Client,
  contains,
  isPushed,
  keeps,
  type Oid,
  type Process,
  type Repository,
  ROOT,
  type Steps,
  TEXT,
  type World,
} from './repository.ts';

const HOURS_AN_ID_MAY_BE_APPLIED = 24;

export interface Request {
  id: string;
  /** The id of an import is derived from the commit that it brings in, and stays valid for ever. */
  ageless: boolean;
  /** The content of the change when it is built on `base`. */
  applies: (repository: Repository, base: Oid) => readonly string[];
}

/** Lands a request exactly once, as storage does; null if its id is too old to be applied. */
export function* commit(world: World, process: Process, request: Request): Steps<Oid | null> {
  const { repository } = world;
  const { client } = process;
  const begun = yield* begin(world, client, request);
  if ('answer' in begun) return begun.answer;
  let { base } = begun;
  for (;;) {
    const mine = yield* upload(world, request, base);
    yield* ensureEntry(world, base);
    yield;
    const linked = link(world, client, base, mine, false);
    if (!keeps(world, 'the pack before the link')) yield* writePack(world, mine, world.nextNumber());
    const isOurs = () => repository.chain.get(base)?.child === mine;
    if (linked || (keeps(world, 'a name that leads to our commit is ours') && isOurs())) {
      yield* acknowledge(world, request);
      yield* ensureEntry(world, mine);
      client.head = mine;
      if (!keeps(world, 'the packs are settled before the hint')) repository.chainHead = mine;
      return mine;
    }
    yield* withdraw(world, mine);
    const adopted = yield* follow(world, client, base);
    const looksUp = keeps(world, 'the look-up of adopted commits');
    const earlier = looksUp ? adopted.find((oid) => claims(world, oid, request)) : undefined;
    base = adopted.at(-1) ?? base;
    const landed = earlier ?? (yield* linkedAgain(world, client, base, mine));
    if (landed !== null) {
      yield* acknowledge(world, request);
      return landed;
    }
  }
}

/** Finds the base, or the answer of a request that was carried out before or is too old. */
function* begin(
  world: World,
  client: Client,
  request: Request,
): Steps<{ base: Oid } | { answer: Oid | null }> {
  const looksFirst = !keeps(world, 'the base before the look-up');
  const judgesFirst = !keeps(world, 'the age after the look-up');
  const tooEarly = looksFirst ? yield* lookUp(world, client, request, null) : null;
  const base = yield* freshHead(world, client);
  if (judgesFirst && isOld(world, client, request)) return { answer: null };
  const answer = looksFirst ? tooEarly : yield* lookUp(world, client, request, base);
  const isTooOld = answer === null && !judgesFirst && isOld(world, client, request);
  return answer !== null || isTooOld ? { answer } : { base };
}

/** Links the same commit once more, if the rule that forbids it is left out. */
function* linkedAgain(world: World, client: Client, base: Oid, mine: Oid): Steps<Oid | null> {
  if (keeps(world, 'a lost race builds anew')) return null;
  yield;
  return link(world, client, base, mine, false) ? mine : null;
}

/** The newest commit of the chain; what was acknowledged before this call is in it. */
export function* freshHead(world: World, client: Client): Steps<Oid> {
  const { repository } = world;
  if (client.head === null) {
    yield;
    const cold = keeps(world, 'the start is a member of the chain') ? repository.chainHead : repository.ref;
    const start = cold === 'torn' ? repository.chainHead : cold;
    if (keeps(world, 'a start completes the packs of the chain')) yield* completePacks(world, client, start);
    client.head = start;
  }
  if (keeps(world, 'the chain directory is opened first')) openDirectory(client, 'chain/');
  const from = client.head;
  const adopted = yield* follow(world, client, from);
  // Another call of this client may have set an older head meanwhile: only what this call saw counts.
  client.head = adopted.at(-1) ?? from;
  return client.head;
}

/** A power cut may have put the index of a pack back under its temporary name. */
function* completePacks(world: World, client: Client, start: Oid): Steps {
  for (const oid of yield* follow(world, client, start)) {
    const pack = world.repository.packs.get(oid);
    yield;
    if (pack) pack.index = pack.upload;
  }
}

/** The commits linked after `from`, oldest first. */
function* follow(world: World, client: Client, from: Oid): Steps<Oid[]> {
  const adopted: Oid[] = [];
  for (let at = from; ; at = adopted.at(-1) ?? at) {
    yield;
    const next = probe(world, client, `chain/${at}`, world.repository.chain.get(at)?.child);
    if (next === undefined) return adopted;
    adopted.push(next);
  }
}

/** Reads a name that may not exist yet: an NFS client goes on missing what it missed once. */
function probe<Target>(world: World, client: Client, name: string, target: Target | undefined) {
  if (world.mode === 'local') return target;
  if (client.absent.has(name)) return undefined;
  if (target === undefined) client.absent.add(name);
  return target;
}

/** Opening a directory makes an NFS client forget what it missed there. */
function openDirectory(client: Client, directory: string): void {
  for (const name of client.absent) if (name.startsWith(directory)) client.absent.delete(name);
}

/** The atomic step: true for the one that made the name. A failed attempt cures a remembered absence. */
export function link(world: World, client: Client, parent: Oid, child: Oid, pushed: boolean): boolean {
  const { chain } = world.repository;
  client.absent.delete(`chain/${parent}`);
  if (chain.has(parent) && keeps(world, 'one winner for each parent')) return false;
  chain.set(parent, { child, pushed, durable: world.mode === 'nfs' });
  const replyLost = world.mode === 'nfs' && world.random() < 0.1;
  return !replyLost;
}

function* lookUp(world: World, client: Client, request: Request, base: Oid | null): Steps<Oid | null> {
  const { repository } = world;
  if (!keeps(world, 'the look-up')) return null;
  if (!keeps(world, 'a young id is looked up too') && age(world, client) < 1) return null;
  if (base !== null && keeps(world, 'the look-up reads the base itself')) {
    yield;
    if (claims(world, base, request)) return yield* repeated(world, request, base);
  }
  yield;
  if (keeps(world, 'the requests directory is opened first')) openDirectory(client, 'requests/');
  yield;
  const entry = probe(world, client, `requests/${request.id}`, repository.requests.get(request.id));
  if (entry === undefined) return null;
  const counts = base === null || contains(repository, base, entry.commit);
  if (!counts && keeps(world, 'an entry counts only in the base')) return null;
  return yield* repeated(world, request, entry.commit);
}

function* repeated(world: World, request: Request, earlier: Oid): Steps<Oid> {
  yield* acknowledge(world, request);
  return earlier;
}

/** True if this commit of the chain belongs to the request: the message of a pushed commit does not count. */
function claims(world: World, oid: Oid, request: Request): boolean {
  const { repository } = world;
  const trusted = !isPushed(repository, oid) || !keeps(world, 'pushed trailers have no say');
  return trusted && repository.commits.get(oid)?.requestId === request.id;
}

function isOld(world: World, client: Client, request: Request): boolean {
  if (request.ageless && keeps(world, 'the id of an import knows no age')) return false;
  return keeps(world, 'an old id is not applied') && age(world, client) > HOURS_AN_ID_MAY_BE_APPLIED;
}

function age(world: World, client: Client): number {
  return world.repository.hours + client.skewHours;
}

function* upload(world: World, request: Request, base: Oid): Steps<Oid> {
  const number = world.nextNumber();
  const nonce = keeps(world, 'a fresh nonce for each attempt') ? `#${number}` : '';
  const oid = `${request.id}@${base}${nonce}`;
  const applies = request.applies(world.repository, base);
  world.repository.commits.set(oid, { oid, parent: base, applies, requestId: request.id });
  if (keeps(world, 'the pack before the link')) yield* writePack(world, oid, number);
  return oid;
}

/** Removes the leftovers of an attempt that lost: beside native git, only git deletes packs. */
function* withdraw(world: World, oid: Oid): Steps {
  const { packs } = world.repository;
  yield;
  const pack = packs.get(oid);
  if (world.mode === 'nfs' || !keeps(world, 'a lost pack is left to git')) packs.delete(oid);
  else if (pack) pack.kept = false;
}

function* writePack(world: World, oid: Oid, number: number): Steps {
  const { packs } = world.repository;
  const kept = world.mode === 'local' && keeps(world, 'a keep until the ref has it');
  yield;
  const pack = {
    objects: new Set([oid, TEXT]),
    upload: number,
    index: packs.get(oid)?.index ?? null,
    kept,
    durable: false,
    shown: world.mode === 'nfs',
  };
  packs.set(oid, pack);
  if (keeps(world, 'the pack is durable before the link')) {
    yield;
    pack.durable = true;
  }
  yield;
  pack.index = number;
  const now = packs.get(oid);
  if (now !== undefined && now !== pack) now.index = number;
}

/** Makes sure that a request answers for its commit before anything can be linked behind it. */
export function* ensureEntry(world: World, oid: Oid): Steps {
  const { repository } = world;
  const made = repository.commits.get(oid);
  if (!made?.requestId || oid === ROOT || !keeps(world, 'an entry before the next link')) return;
  if (isPushed(repository, oid) && keeps(world, 'pushed trailers have no say')) return;
  yield;
  const found = repository.requests.get(made.requestId);
  const isRight = found?.commit === oid || (found && !keeps(world, 'a wrong entry is replaced'));
  const entry = isRight ? found : { commit: oid, durable: false };
  repository.requests.set(made.requestId, entry);
  if (!keeps(world, 'an entry is durable before the next link')) return;
  yield;
  entry.durable = true;
}

function* acknowledge(world: World, request: Request): Steps {
  if (keeps(world, 'the link is durable before the acknowledgement')) yield* syncChain(world);
  if (!request.id.startsWith('import:')) world.acknowledged.add(request.id);
}

export function* syncChain(world: World): Steps {
  if (world.mode === 'nfs') return;
  yield;
  for (const link of world.repository.chain.values()) link.durable = true;
}

/** Makes every index that is in its place stay there. */
export function* syncPacks(world: World): Steps {
  if (world.mode === 'nfs') return;
  yield;
  for (const pack of world.repository.packs.values()) if (pack.index !== null) pack.shown = true;
}
