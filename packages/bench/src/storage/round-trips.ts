import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { mountStatisticsBetween, parseMountStatistics } from '../../../../labs/nfs-lab/mount-statistics.ts';
import { pagePath, randomNumbers, type WikiShape } from '../../../../labs/wikis/wiki-text.ts';
import { type Engine, startEngine } from './engine.ts';
import type { Answer, Command } from './protocol.ts';
import { type Sample, type Summary, sampleOf, summarize, together } from './samples.ts';

/**
 * Runs beside the server of nfs-lab and prints, as JSON, what operations on a wiki cost each engine. Its one
 * argument is a Plan as JSON.
 */
export interface Plan {
  /** A repository made by `buildWiki`, of this shape. */
  wiki: string;
  shape: WikiShape;
  /** Pages are drawn from so many, so that wikis of different sizes meet as many folders. */
  workingPages: number;
  /** The command line of each engine that is measured. */
  engines: Readonly<Record<string, readonly string[]>>;
  /** How many operations of each kind; 0 leaves the kind out. Cold reads take clients 3 and following. */
  writes: number;
  reads: number;
  /** With one write of another client just before each; only ours finds what the other one wrote every time. */
  writesAfterForeign: number;
  readsAfterForeign: number;
  coldReads: number;
  /** So many packs lie unmerged when a cold client reads. */
  unmergedPacks: number;
  /** Reads before anything is measured. */
  warmUp: number;
}

export type Costs = Record<string, Summary>;

const plan: Plan = JSON.parse(process.argv[2] ?? '');
const random = randomNumbers(7);
const FIRST_COLD_CLIENT = 2;
let coldClients = 0;
const results: Record<string, Costs> = {};
for (const name of Object.keys(plan.engines)) results[name] = await measureEngine(name);
process.stdout.write(JSON.stringify(results));

async function measureEngine(name: string): Promise<Costs> {
  return { ...(plan.coldReads > 0 && (await measureCold(name))), ...(await measureWarm(name)) };
}

async function measureWarm(name: string): Promise<Costs> {
  const directory = serveCopy(`${name}-warm`);
  const ours = await openClient(name, 1, directory);
  const other = await openClient(name, 2, directory);
  const costs: Costs = {};
  const measure = async (operation: string, count: number, each: () => Promise<Sample>) => {
    const samples = await repeat(count, each);
    if (count > 0) costs[operation] = summarize(samples, operation === 'write' ? [await ours.settle()] : []);
  };

  costs.first_write = summarize([await ours.append(randomPage())]);
  await repeat(plan.warmUp, () => ours.read(randomPage()));
  await repeat(3, () => ours.append(randomPage()));
  await measure('write', plan.writes, () => ours.append(randomPage()));
  await measure('write_after_foreign', plan.writesAfterForeign, async () => {
    await other.append(randomPage());
    return ours.append(randomPage());
  });
  await ours.settle();
  await other.settle();
  await ours.read(randomPage());
  await measure('read_again', plan.reads, async () => {
    const page = randomPage();
    await ours.read(page);
    return ours.read(page);
  });
  await measure('read_other', plan.reads, () => ours.read(randomPage()));
  await measure('read_after_foreign', plan.readsAfterForeign, async () => {
    const page = randomPage();
    const { text } = await other.append(page);
    return ours.read(page, text);
  });
  await measure('read_other_after_foreign', plan.readsAfterForeign, async () => {
    await other.append(randomPage());
    return ours.read(randomPage());
  });
  await Promise.all([ours.end(), other.end()]);
  return costs;
}

/** Each cold client is a mount that did nothing before, and a new process on it. */
async function measureCold(name: string): Promise<Costs> {
  const directory = serveCopy('.');
  const writer = await openClient(name, 1, directory);
  await repeat(plan.unmergedPacks, () => writer.append(randomPage()));
  await writer.settle();
  await writer.end();
  const samples = await repeat(plan.coldReads, async () => {
    coldClients += 1;
    const cold = await openClient(name, FIRST_COLD_CLIENT + coldClients, directory);
    const sample = together([cold.opening, await cold.read(randomPage())]);
    await cold.end();
    return sample;
  });
  rmSync('/run/srv/wikis/main.git', { recursive: true });
  return { read_cold: summarize(samples) };
}

/** A copy of the wiki below `place` that no client has seen yet; the directory as clients see it. */
function serveCopy(place: string): string {
  mkdirSync(`/run/srv/wikis/${place}`, { recursive: true });
  execFileSync('cp', ['-r', plan.wiki, `/run/srv/wikis/${place}/main.git`]);
  execFileSync('chown', ['-R', '1000:1000', `/run/srv/wikis/${place}`]);
  return `/mnt/efs/${place}`;
}

async function openClient(name: string, client: number, directory: string) {
  const engine = startEngine(['in-client', `${client}`, ...(plan.engines[name] ?? [])]);
  const { sample } = await measured(engine, client, { do: 'open', directory });
  return {
    opening: sample,
    /** `expected` must be in the page: a fresh read sees what was acknowledged. */
    read: async (path: string, expected = '') => {
      const { sample, answer } = await measured(engine, client, { do: 'read', path });
      if (!answer.text?.includes(expected)) throw new Error(`${name} read an old version of ${path}.`);
      return sample;
    },
    append: async (path: string) => {
      const text = `A note, number ${Math.floor(random() * 2 ** 32)}.\n`;
      const { sample } = await measured(engine, client, { do: 'append', path, text });
      return { ...sample, text: text.trim() };
    },
    settle: async () => (await measured(engine, client, { do: 'settle' })).sample,
    end: engine.end,
  };
}

async function measured(
  engine: Engine,
  client: number,
  command: Command,
): Promise<{ sample: Sample; answer: Answer }> {
  const earlier = statistics(client);
  const answer = await engine.run(command);
  const spent = mountStatisticsBetween(earlier, statistics(client));
  return { sample: sampleOf(answer.milliseconds, spent), answer };
}

function statistics(client: number) {
  return parseMountStatistics(readFileSync('/proc/self/mountstats', 'utf8'), `/run/efs${client}`);
}

async function repeat<Result>(count: number, action: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let number = 0; number < count; number += 1) results.push(await action());
  return results;
}

function randomPage(): string {
  return pagePath(plan.shape, Math.floor(random() * Math.min(plan.workingPages, plan.shape.pages)));
}
