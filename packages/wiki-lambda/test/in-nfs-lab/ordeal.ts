import type { Fault } from '../../../../labs/lambda-lab/faults.ts';
import { invokeWiki } from '../../../../labs/lambda-lab/invoke-wiki.ts';
import { startLambdaLab } from '../../../../labs/lambda-lab/lambda-lab.ts';
import { nfsDirectory, nfsPlaces } from '../../../../labs/lambda-lab/nfs-places.ts';
import { randomNumbers } from '../../../../labs/wikis/wiki-text.ts';
import type { Call } from '../../../wiki/src/contract/wiki.ts';
import { functionDirectory } from '../../build.ts';
import { countOf, persistently } from '../persistent-client.ts';
import { linesOf, nativeView } from './server-side.ts';

/**
 * `ordeal.ts WRITES WRITERS SEED`, inside nfs-lab beside its server: writers append lines of their own to a page each
 * and to one that they share, while their environments are killed and frozen and their answers are lost. Prints as
 * JSON what each write came to.
 */
const [writes = 0, writers = 1, seed = 1] = process.argv.slice(2).map(Number);
const random = randomNumbers(seed);
const call: Call = {
  caller: { author: { name: 'A Writer', email: 'writer@example.org' }, agent: 'test/1.0' },
};

/** How long a client waits for an answer before it sends the request again, to another environment. */
const PATIENCE_MS = 3_000;
const FAULTS_OF_TEN = 4;

const lab = await startLambdaLab({
  code: functionDirectory,
  places: nfsPlaces(),
  // Frozen environments keep their place while the retry runs in another one.
  concurrency: 2 * writers,
  variables: { PAGETREE_DIR: nfsDirectory },
});
const { wiki, close } = invokeWiki(lab);
await wiki.wiki_status({}, call);

const faults: string[] = [];
const failures: string[] = [];
/** Milliseconds of the attempts that no fault was meant for. */
const undisturbed: number[] = [];
/** What attempts without a fault of their own failed with. */
const disturbed: string[] = [];
const thawed: Promise<void>[] = [];
const answers: { line: string; page: string; commit: string | null }[] = [];

await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
await Promise.all(thawed);
await wiki.wiki_status({}, call);

const pages = [...new Set(answers.map(({ page }) => page))];
process.stdout.write(
  JSON.stringify({
    answers,
    lines: Object.fromEntries(pages.map((page) => [page, linesOf(page)])),
    faults: countOf(faults),
    failures: countOf(failures),
    disturbed: countOf(disturbed),
    slowestUndisturbedMs: Math.max(...undisturbed),
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
  }
}

async function send(page: string, content: string, attempt: number) {
  const fault = attempt === 0 && random() * 10 < FAULTS_OF_TEN ? randomFault() : null;
  const provoked = fault && lab.provoke(fault, (payload) => payload.includes(`"append-${content}"`));
  if (fault !== null) faults.push(fault.kind === 'kill' ? `kill: ${fault.why ?? 'crash'}` : fault.kind);
  if (fault?.kind === 'freeze') thawed.push(thawLater());
  const started = performance.now();
  const signal = AbortSignal.timeout(Math.round(PATIENCE_MS * (1 + random())));
  const request = { path: page, content, request_id: `append-${content}`, create: true };
  const answer = await wiki.append_to_page(request, { ...call, signal }).catch((error: Error) => {
    if (fault === null) disturbed.push(error.name);
    throw error;
  });
  if (fault === null) undisturbed.push(performance.now() - started);
  return answer;

  async function thawLater(): Promise<void> {
    // A call that was over before the freeze would have struck is never held.
    await new Promise((resolve) => setTimeout(resolve, 500 + random() * 2 * PATIENCE_MS));
    provoked?.release();
  }
}

function randomFault(): Fault {
  const afterMs = random() * 60;
  const all: Fault[] = [
    { kind: 'kill', afterMs },
    { kind: 'kill', afterMs, why: 'timeout' },
    { kind: 'kill', afterMs, why: 'memory' },
    { kind: 'freeze', afterMs },
    { kind: 'freeze', afterMs },
    { kind: 'lose-reply' },
  ];
  return all[Math.floor(random() * all.length)] ?? { kind: 'lose-reply' };
}
