import { setTimeout as wait } from 'node:timers/promises';
import type { Fault, Provoked } from '../../../../labs/lambda-lab/faults.ts';
import { FunctionFailure, invokeWiki } from '../../../../labs/lambda-lab/invoke-wiki.ts';
import { startLambdaLab } from '../../../../labs/lambda-lab/lambda-lab.ts';
import { nfsDirectory, nfsPlaces } from '../../../../labs/lambda-lab/nfs-places.ts';
import { randomNumbers } from '../../../../labs/wikis/wiki-text.ts';
import { functionDirectory } from '../../build.ts';
import { call, countOf, persistently } from '../persistent-client.ts';
import { linesOf, nativeView } from './server-side.ts';

/**
 * `fault-test.ts WRITES WRITERS SEED`, inside nfs-lab beside its server: writers append lines of their own to a page each
 * and to one that they share, while their environments are killed and frozen and their answers are lost. Prints as
 * JSON what each write came to.
 *
 * Only the first attempt of a write may meet a fault. The others must be answered if they reach the wiki, although a
 * frozen environment stays frozen until writes of others have been acknowledged. The program fails if one is held up.
 */
const [writes = 0, writers = 1, seed = 1] = process.argv.slice(2).map(Number);
const random = randomNumbers(seed);

/** The time a client waits for an answer that a fault may have lost, before it sends the request again. */
const PATIENCE_MS = 1_500;
/** Longer than the lab lets a start and a call take together (100 s and 30 s): what takes longer stands still. */
const STANDSTILL_MS = 400_000;
const FAULTS_OF_TEN = 4;
/** The number of writes that are acknowledged while an environment is frozen. */
const WRITES_IN_A_FREEZE = 2;

const lab = await startLambdaLab({
  code: functionDirectory,
  places: nfsPlaces(),
  // Frozen environments keep their place while others go on: those of the calls under way, and of as many as began
  // since the last acknowledgements that a freeze waits for.
  concurrency: 2 * writers + WRITES_IN_A_FREEZE,
  variables: { PAGETREE_DIR: nfsDirectory },
});
const { wiki, close } = invokeWiki(lab);
await wiki.wiki_status({}, call);

const faults: string[] = [];
const failures: string[] = [];
const faultsLeft: Fault[] = [];
/** Frozen environments, each until so many writes are acknowledged and, if a line is named, that line is. */
const frozen: { until: number; line: string | null; release: () => void }[] = [];
let outlived = 0;
const answers: { line: string; page: string; commit: string | null }[] = [];

await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
for (const { release } of frozen.splice(0)) release();
// Thawed environments run to their end, which must change nothing.
while ((await lab.environments()).some(({ state }) => state === 'busy')) await wait(50);
await wiki.wiki_status({}, call);

const pages = [...new Set(answers.map(({ page }) => page))];
process.stdout.write(
  JSON.stringify({
    answers,
    lines: Object.fromEntries(pages.map((page) => [page, linesOf(page)])),
    faults: countOf(faults),
    failures: countOf(failures),
    outlived,
    ...nativeView(),
  }),
);
close();
await lab.stop();

async function write(writer: number): Promise<void> {
  for (let number = writer; number < writes; number += writers) {
    const line = `line-${number}`;
    const page = number % 2 === 0 ? 'Shared' : `Page ${writer}`;
    const { answer, failures: met } = await persistently((attempt) => send(page, line, attempt));
    answers.push({ line, page, commit: answer.commit });
    failures.push(...met);
    for (const environment of frozen.filter(isOver)) {
      frozen.splice(frozen.indexOf(environment), 1);
      environment.release();
      outlived += 1;
    }
  }
}

async function send(page: string, content: string, attempt: number) {
  const fault = attempt === 0 && random() * 10 < FAULTS_OF_TEN ? randomFault() : null;
  if (fault !== null) {
    const provoked = lab.provoke(fault, (payload) => payload.includes(`"append-${content}"`));
    faults.push(fault.kind === 'kill' ? `kill: ${fault.why ?? 'crash'}` : fault.kind);
    if (fault.kind === 'freeze') void provoked.struck.then(() => hold(provoked, content));
  }
  const patience = fault === null ? STANDSTILL_MS : PATIENCE_MS * (1 + random());
  const signal = AbortSignal.timeout(Math.round(patience));
  const request = { path: page, content, request_id: `append-${content}`, create: true };
  try {
    return await wiki.append_to_page(request, { ...call, signal });
  } catch (error) {
    if (fault === null && !neverReachedWiki(error)) {
      throw new Error(`${content} was held up by what happened to others`, { cause: error });
    }
    throw error;
  }
}

/** Every other one until its own write was acknowledged to the retry: what thaws then finds it made. */
function hold(provoked: Provoked, content: string): void {
  const line = random() < 0.5 ? content : null;
  frozen.push({ until: answers.length + WRITES_IN_A_FREEZE, line, release: () => provoked.release() });
}

function isOver({ until, line }: (typeof frozen)[number]): boolean {
  return until <= answers.length && (line === null || answers.some((answer) => answer.line === line));
}

/** True if no environment was free, or none could be started in the time that the lab gives it. */
function neverReachedWiki(error: unknown): boolean {
  if (error instanceof FunctionFailure) return error.message.includes('init phase');
  return error instanceof Error && error.name === 'TooManyRequestsException';
}

/** Draws from all kinds in a random order before it draws one again, so that few writes meet every kind. */
function randomFault(): Fault {
  if (faultsLeft.length === 0) faultsLeft.push(...everyFault());
  return faultsLeft.splice(Math.floor(random() * faultsLeft.length), 1)[0] ?? { kind: 'lose-reply' };
}

function everyFault(): Fault[] {
  const afterMs = random() * 60;
  return [
    { kind: 'kill', afterMs },
    { kind: 'kill', afterMs, why: 'timeout' },
    { kind: 'kill', afterMs, why: 'memory' },
    { kind: 'freeze', afterMs },
    { kind: 'freeze', afterMs },
    { kind: 'lose-reply' },
  ];
}
