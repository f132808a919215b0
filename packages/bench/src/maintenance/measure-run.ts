import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { type Call, type Output, parseInput, type Wiki } from '@pagetree/wiki/contract';
import { invokeWiki } from '../../../../labs/lambda-lab/invoke-wiki.ts';
import { type LambdaLab, startLambdaLab } from '../../../../labs/lambda-lab/lambda-lab.ts';
import { functionDirectory } from '../../../wiki-lambda/build.ts';

/** The share that Lambda gives a function of 512 MB. */
const PROCESSOR_SHARE = 0.29;
const MEMORY_MIB = 512;
const TICKS_PER_SECOND = 100;

export interface LabWiki {
  wiki: Wiki;
  /** The lines that Lambda wrote to the log. */
  lines: string[];
  lab: LambdaLab;
  close(): Promise<void>;
}

/** The wikis in a directory, served by the function at its default size. */
export async function serveInLab(directory: string, timeoutMs: number): Promise<LabWiki> {
  const lines: string[] = [];
  const lab = await startLambdaLab({
    code: functionDirectory,
    variables: { PAGETREE_DIR: directory },
    memoryMib: MEMORY_MIB,
    processorShare: PROCESSOR_SHARE,
    timeoutMs,
    onLine: (line) => lines.push(line),
  });
  const { wiki, close } = invokeWiki(lab);
  return {
    wiki,
    lines,
    lab,
    async close() {
      close();
      await lab.stop();
    },
  };
}

export interface RunMeasured {
  calls: number;
  seconds: number;
  /** Seconds of all environments together. */
  processorSeconds: number;
  peakMemoryMib: number;
  slowestCallSeconds: number;
  answer: Output<'maintain_wiki'>;
}

/** Calls `maintain_wiki` until it is finished; with `apart` each time in a new environment, as on another day. */
export async function measureRun(
  { wiki, lines, lab }: LabWiki,
  mode: 'check' | 'repair',
  { apart }: { apart: boolean },
): Promise<RunMeasured> {
  const [firstLine, began] = [lines.length, performance.now()];
  let [calls, processorSeconds, slowest] = [0, 0, 0];
  for (;;) {
    if (apart) await lab.recycle();
    const before = processorSecondsOfChildren();
    const called = performance.now();
    const answer = await wiki.maintain_wiki(parseInput('maintain_wiki', { mode }), CALL);
    calls += 1;
    slowest = Math.max(slowest, (performance.now() - called) / 1_000);
    processorSeconds += Math.max(0, processorSecondsOfChildren() - before);
    if (!answer.finished) continue;
    return {
      calls,
      seconds: (performance.now() - began) / 1_000,
      processorSeconds,
      peakMemoryMib: peakMemoryOf(lines.slice(firstLine)),
      slowestCallSeconds: slowest,
      answer,
    };
  }
}

/** Milliseconds of such calls, one after the other: of four, one is quicker. What else the machine does counts little. */
export async function quartileOf(count: number, call: (number: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let number = 0; number < count; number += 1) {
    const began = performance.now();
    await call(number);
    times.push(performance.now() - began);
    await wait(50);
  }
  return times.sort((a, b) => a - b)[Math.floor(count / 4)] ?? Number.NaN;
}

export const CALL: Call = { caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: null } };

/** In MiB, as Lambda reports it after each call. */
export function peakMemoryOf(lines: readonly string[]): number {
  const peaks = lines.flatMap((line) => /Max Memory Used: (\d+) MB/.exec(line)?.[1] ?? []);
  return Math.max(0, ...peaks.map(Number));
}

/** The CPU time that the children of this process have used so far. */
function processorSecondsOfChildren(): number {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ');
  let ticks = 0;
  for (const child of children) {
    try {
      const fields = readFileSync(`/proc/${child}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // It has ended.
    }
  }
  return ticks / TICKS_PER_SECOND;
}
