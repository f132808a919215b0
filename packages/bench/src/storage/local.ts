import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pagePath, randomNumbers, type WikiShape } from '../../../../labs/wikis/wiki-text.ts';
import { type Timing, timingOf } from '../index/measure.ts';
import { type Engine, startEngine } from './engine.ts';
import type { Answer, Command } from './protocol.ts';

type Append = Extract<Command, { do: 'append' }>;

export interface LocalPlan {
  /** Where the wiki is copied to: what the disk there costs to sync is part of a write. */
  directory: string;
  /** A repository made by `buildWiki`, of this shape. */
  wiki: string;
  shape: WikiShape;
  /** The command line of the engine. */
  command: readonly string[];
  /** Objects and packs of native git and dulwich are synced too, as ours always are. */
  synced: boolean;
  /** How many of each fast operation. */
  operations: number;
}

export interface Measurement extends Timing {
  /** Of the whole process until then. */
  peak_rss_mb: number;
}

/** What operations on a local disk take one engine. */
export async function measureLocally(plan: LocalPlan): Promise<Record<string, Measurement>> {
  const directory = await mkdtemp(join(plan.directory, 'pagetree-bench-'));
  try {
    await cp(plan.wiki, join(directory, 'main.git'), { recursive: true });
    const setting = ['config', 'core.fsyncObjectFiles', `${plan.synced}`];
    await promisify(execFile)('git', ['-C', join(directory, 'main.git'), ...setting]);
    return await measureOperations(plan, directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function measureOperations({ shape, command, operations }: LocalPlan, directory: string) {
  const random = randomNumbers(11);
  const path = () => pagePath(shape, Math.floor(random() * shape.pages));
  const append = (): Append => ({ do: 'append', path: path(), text: `Note ${random()}.\n` });
  const read = (): Command => ({ do: 'read', path: path() });
  const results: Record<string, Measurement> = {};

  const colds = await repeat(5, async () => {
    const engine = startEngine(command);
    const open = await engine.run({ do: 'open', directory });
    const answer = await engine.run(read());
    await engine.end();
    return { ...answer, milliseconds: open.milliseconds + answer.milliseconds };
  });
  results.read_cold = measurementOf(colds);

  const [engine, other] = [startEngine(command), startEngine(command)];
  for (const each of [engine, other]) await each.run({ do: 'open', directory });
  const measure = async (operation: string, count: number, each: (number: number) => Promise<Answer>) => {
    results[operation] = measurementOf(await repeat(count, each));
  };
  await repeat(20, () => engine.run(read()));
  await repeat(10, () => engine.run(append()));
  await measure('write', operations, () => engine.run(append()));
  await measure('read_other', operations, () => engine.run(read()));
  const again = read();
  await engine.run(again);
  await measure('read_again', operations, () => engine.run(again));
  await measure('read_warm', Math.min(operations, 20), () => afterAnother(engine, other, append()));
  for (const operation of ['list', 'recent'] as const) {
    await engine.run({ do: operation });
    await measure(operation, 10, () => engine.run({ do: operation }));
  }
  await Promise.all([engine.end(), other.end()]);
  return results;
}

/** Reads what another process has just written. */
async function afterAnother(engine: Engine, other: Engine, append: Append): Promise<Answer> {
  await other.run(append);
  const answer = await engine.run({ do: 'read', path: append.path });
  if (!answer.text?.includes(append.text.trim()))
    throw new Error(`An old version of ${append.path} was read.`);
  return answer;
}

function measurementOf(answers: readonly Answer[]): Measurement {
  return {
    ...timingOf(answers.map(({ milliseconds }) => milliseconds)),
    peak_rss_mb: Math.round(Math.max(...answers.map(({ peakRssMegabytes }) => peakRssMegabytes))),
  };
}

async function repeat<Result>(count: number, action: (number: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let number = 0; number < count; number += 1) results.push(await action(number));
  return results;
}
