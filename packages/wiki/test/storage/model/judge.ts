import { history, type Oid, type Process, ROOT, reachable, type Steps, type World } from './repository.ts';
import { isStored } from './surroundings.ts';
import { freshHead } from './writer.ts';

/** Nothing that the head reaches is missing, before anybody may bring it again. */
export function* judgeObjects(world: World, process: Process): Steps {
  const head = yield* freshHead(world, process.client);
  const isMissing = (oid: Oid) => !isStored(world, oid);
  if (reachable(world.repository, head).some(isMissing)) world.failures.push('the head lacks an object');
}

/** Compares what a cold client finds in the end with what was promised to anyone. */
export function* judge(world: World, process: Process): Steps {
  const { repository, failures } = world;
  const head = yield* freshHead(world, process.client);
  const commits = history(repository, head);
  const count = new Map<string, number>();
  for (const name of commits.flatMap((commit) => commit.applies)) count.set(name, (count.get(name) ?? 0) + 1);
  for (const name of world.acknowledged) {
    if (!count.has(name)) failures.push(`an acknowledged ${name.split(' ')[0]} is lost`);
  }
  if ([...count.values()].some((times) => times > 1)) failures.push('a change is applied twice');
  const reached = new Set([ROOT, ...commits.map((commit) => commit.oid)]);
  const leavesHistory = ([parent, link]: [Oid, { child: Oid }]) =>
    reached.has(parent) && !reached.has(link.child);
  if ([...repository.chain].some(leavesHistory)) failures.push('the chain has a fork');
  if (!world.acknowledged.has('write last')) failures.push('the next writer fails');
  if (repository.ref !== head) failures.push('the branch is not the newest commit');
}
