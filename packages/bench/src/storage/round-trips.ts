import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { mountStatisticsBetween, parseMountStatistics } from '../../../../labs/nfs-lab/mount-statistics.ts';
import type { WikiShape } from '../../../../labs/wikis/wiki-text.ts';
import { startEngine } from './engines/engine.ts';
import type { Command } from './engines/protocol.ts';
import { type EnginePlan, type Limits, measuredEngine, type Place } from './measure-engine.ts';
import type { Results } from './results.ts';
import { type Change, type Client, drawFrom, followsForeign, operations } from './workload.ts';

/**
 * Runs beside the server of nfs-lab and prints, as JSON, what operations on a wiki cost each engine. Its one
 * argument is a Plan as JSON. Client 1 is the one that is measured, 2 the other one, 3 and following are fresh.
 */
export interface Plan extends Limits {
  /** The shape of the wikis of all engines. */
  shape: WikiShape;
  changes: readonly Change[];
  /** Pages are drawn from so many, so that wikis of different sizes meet as many folders. */
  workingPages: number;
  engines: Readonly<Record<string, EnginePlan>>;
  /** So many packs lie unmerged when a cold client reads. */
  unmergedPacks: number;
}

const plan: Plan = JSON.parse(process.argv[2] ?? '');
/**
 * Operations after another client's write come last: some engines do not find the write, and go on failing
 * for a while.
 */
const inOrder = [
  ...operations.filter((operation) => !followsForeign.has(operation)),
  ...operations.filter((operation) => followsForeign.has(operation)),
];
const SERVED = '/run/srv/wikis';
const clientNumbers = { own: 1, other: 2, fresh: 3 };
const results: Results = {};
const engines = Object.entries(plan.engines);
for (const [at, [name, engine]] of engines.entries()) {
  const limits = { ...plan, endsAt: endOfTurn(engines.length - at) };
  const measured = measuredEngine(engine, limits, await placeFor(name, engine));
  results[name] = {};
  for (const operation of inOrder) {
    const result = await measured.measure(operation);
    if (result === null) continue;
    results[name] = { ...results[name], [operation]: result };
    process.stderr.write(`${name}, ${operation}\n`);
  }
  await measured.end();
  for (const place of ['main.git', name]) rmSync(`${SERVED}/${place}`, { recursive: true, force: true });
}
process.stdout.write(JSON.stringify(results));

/** Time that an engine does not use goes to the later ones; no engine takes that of all others. */
function endOfTurn(enginesLeft: number): number {
  return Date.now() + (plan.endsAt - Date.now()) / Math.min(3, enginesLeft);
}

/**
 * Makes one copy for the warm clients, and another one when a fresh client first needs it. That one lies at the root of
 * the mount, as in production. The copy of the engine before is gone by then, so that no client knows anything of it.
 */
async function placeFor(name: string, { command, wiki }: EnginePlan): Promise<Place> {
  const draw = drawFrom(plan.shape, plan.changes, plan.workingPages);
  const warm = serveCopy(wiki, name);
  let cold: string | null = null;
  return {
    draw,
    async open(client) {
      if (client !== 'fresh') return openClient(command, clientNumbers[client], warm);
      cold ??= await prepareCold();
      return openClient(command, clientNumbers.fresh++, cold);
    },
  };

  /** Written beside the server, where a write takes no round trips. */
  async function prepareCold(): Promise<string> {
    const directory = serveCopy(wiki, '.');
    // By turns, as ours merges 20 packs of one process, and ten of others that it finds after its first write.
    const writers = [startEngine(command), startEngine(command)];
    const all = (order: Command) => Promise.all(writers.map((writer) => writer.run(order, plan.callSeconds)));
    await all({ do: 'open', directory: SERVED, workDirectory: '/tmp' });
    for (let pack = 0; pack < plan.unmergedPacks; pack += 1) {
      await writers[pack % writers.length]?.run(draw.append(), plan.callSeconds);
      if (pack < writers.length) await all({ do: 'settle' });
    }
    await all({ do: 'settle' });
    await Promise.all(writers.map((writer) => writer.end()));
    const packs = readdirSync(`${SERVED}/main.git/objects/pack`).filter((file) => file.endsWith('.idx'));
    if (name === 'ours' && packs.length < plan.unmergedPacks) {
      throw new Error(
        `Of ${plan.unmergedPacks} packs only ${packs.length} are left: the others were merged.`,
      );
    }
    giveToClients(`${SERVED}/main.git`);
    return directory;
  }
}

/** A copy of the wiki below `place` that no client has seen yet; the directory as clients see it. */
function serveCopy(wiki: string, place: string): string {
  mkdirSync(`${SERVED}/${place}`, { recursive: true });
  execFileSync('cp', ['-r', wiki, `${SERVED}/${place}/main.git`]);
  giveToClients(`${SERVED}/${place}`);
  return `/mnt/efs/${place}`;
}

/** To the user as whom the server does what clients ask for. */
function giveToClients(directory: string): void {
  execFileSync('chown', ['-R', '1000:1000', directory]);
}

/** A new process as a client of the mount; each has a disk of its own for what can be made again. */
async function openClient(command: readonly string[], client: number, directory: string) {
  const workDirectory = `/tmp/client-${client}`;
  mkdirSync(workDirectory, { recursive: true });
  const engine = startEngine(['in-client', `${client}`, ...command]);
  const run: Client['run'] = async (order, limit = plan.callSeconds) => {
    const earlier = statistics(client);
    const answer = await engine.run(order, limit);
    return { ...answer, mount: mountStatisticsBetween(earlier, statistics(client)) };
  };
  const opening = await run({ do: 'open', directory, workDirectory });
  return { opening, client: { run, end: engine.end } };
}

function statistics(client: number) {
  return parseMountStatistics(readFileSync('/proc/self/mountstats', 'utf8'), `/run/efs${client}`);
}
