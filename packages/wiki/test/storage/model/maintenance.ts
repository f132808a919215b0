import {
  contains,
  isOurs,
  isReadable,
  keeps,
  type Oid,
  type Process,
  ROOT,
  type Steps,
  type World,
} from './repository.ts';
import { isStored } from './surroundings.ts';
import { freshHead } from './writer.ts';

const HOURS_AN_ENTRY_STAYS = 48;

/** Deletes packs that no chain can come to name, and copies small packs of the chain into one. */
export function* maintain(world: World, process: Process): Steps {
  yield* deleteLostPacks(world);
  yield* mergePacks(world, process);
  yield* deleteOldEntries(world, process);
  if (!keeps(world, 'a chain name is never absent again')) yield* deleteOldLinks(world, process);
}

/** Deletes packs of lost attempts. A pack of ours is named after the commit that an attempt made. */
function* deleteLostPacks(world: World): Steps {
  const { repository } = world;
  for (const [name, pack] of repository.packs) {
    const made = isOurs(name) ? repository.commits.get(name) : undefined;
    if (made === undefined) continue;
    yield;
    const winner = repository.chain.get(made.parent)?.child;
    const byAge = !keeps(world, 'a pack goes when its parent has another child');
    if (winner === name || (winner === undefined && !byAge)) continue;
    if (world.mode === 'local' && keeps(world, 'a lost pack is left to git')) pack.kept = false;
    else repository.packs.delete(name);
  }
}

function* mergePacks(world: World, process: Process): Steps {
  const { repository } = world;
  const head = yield* freshHead(world, process.client);
  const merged = [...repository.packs].filter(
    ([name, pack]) => !pack.kept && isReadable(pack) && isOurs(name) && contains(repository, head, name),
  );
  if (merged.length < 2) return;
  const number = world.nextNumber();
  const objects = new Set(merged.flatMap(([, pack]) => [...pack.objects]));
  const output = { objects, upload: number, index: number, kept: false, durable: false, shown: false };
  yield;
  repository.packs.set(`merged-${number}`, output);
  if (keeps(world, 'a merged pack is durable first')) {
    yield;
    output.durable = true;
    output.shown = true;
  }
  for (const [name] of merged) {
    yield;
    repository.packs.delete(name);
  }
}

/** Deletes entries that no id needs any more which may still be applied. */
export function* deleteOldEntries(world: World, process: Process): Steps {
  const { repository } = world;
  const limit = keeps(world, 'entries outlive their id') ? HOURS_AN_ENTRY_STAYS : HOURS_AN_ENTRY_STAYS / 2;
  for (const [id] of repository.requests) {
    yield;
    const stays = id.startsWith('import:') && keeps(world, 'the id of an import knows no age');
    if (!stays && repository.hours + process.client.skewHours > limit) repository.requests.delete(id);
  }
}

/** A change that seems harmless: removes links far behind the head, which nobody needs any more. */
function* deleteOldLinks(world: World, process: Process): Steps {
  const head = yield* freshHead(world, process.client);
  for (const [parent, { child }] of world.repository.chain) {
    yield;
    if (child !== head && parent !== ROOT) world.repository.chain.delete(parent);
  }
}

/** Reads the newest commit: what was acknowledged before must be in it, and its pack must be found. */
export function* read(world: World, process: Process): Steps {
  const { repository } = world;
  const { client } = process;
  yield;
  const promised = [...world.acknowledged];
  const head = yield* freshHead(world, client);
  const brought = new Set<string>();
  for (let made = repository.commits.get(head); made; made = repository.commits.get(made.parent)) {
    for (const name of made.applies) brought.add(name);
  }
  const pushes = (name: string) => name.startsWith('push');
  if (promised.some((name) => !pushes(name) && !brought.has(name))) world.failures.push('a stale read');
  yield;
  client.packs ??= listPacks(world);
  const name = client.packs.get(head) ?? head;
  yield;
  if (head === ROOT || repository.packs.has(name)) return;
  if (keeps(world, 'a reader lists again') && isStored(world, head)) return;
  world.failures.push('a read of a pack that is gone');
}

function listPacks(world: World): Map<Oid, string> {
  const listed = new Map<Oid, string>();
  for (const [name, pack] of world.repository.packs) for (const oid of pack.objects) listed.set(oid, name);
  return listed;
}
