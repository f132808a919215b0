import { setTimeout as wait } from 'node:timers/promises';
import { randomNumbers } from '../../../../../labs/wikis/wiki-text.ts';
import { type Housekeeper, startHousekeeper } from './housekeeper.ts';
import { type Pusher, startPusher } from './pusher.ts';
import type { Answer, Job } from './writer.ts';
import { startWriter, type WriterProcess } from './writer-process.ts';

export interface RaceOptions {
  /** The program that each writer runs. */
  program: URL;
  directory: string;
  placement: 'local' | 'shared';
  writers: number;
  writesEach: number;
  /** The words before `node` that start writer N, such as `in-client N`. */
  prefix: (writer: number) => readonly string[];
  /** The time for which a frozen process stops: longer than any wait in the code. */
  freezeMs: number;
  /** The total numbers of frozen and of killed processes. */
  freezes: number;
  kills: number;
  /** True if native git pushes meanwhile. */
  pushes: boolean;
  /** True if native git collects garbage, repacks and clones meanwhile. */
  housekeeping: boolean;
  /** The length of a pause without writes; there are two. */
  quietMs: number;
  /** Chooses who is frozen and killed, and when. */
  seed: number;
}

/** Five writers on a local disk, and nothing in their way. */
export const CALM: Omit<RaceOptions, 'directory' | 'writesEach'> = {
  program: new URL('./writer.ts', import.meta.url),
  placement: 'local',
  writers: 5,
  prefix: () => [],
  freezeMs: 0,
  freezes: 0,
  kills: 0,
  pushes: false,
  housekeeping: false,
  quietMs: 0,
  seed: 0,
};

export interface RaceReport {
  /** The commit of each acknowledged request. */
  acknowledged: Record<string, string>;
  /** The files of accepted pushes. */
  pushed: string[];
  /** The number of times that native git tidied and copied. */
  housekeeping: Record<string, number>;
  /** Violations of the promises: one request with two commits, or a push refused without reason. */
  violations: string[];
  /** Acknowledged requests that another writer came before, and all that came before them. */
  replayed: number;
  replays: number;
  /** Requests that were sent to a second process while the first stood still or was dead. */
  retried: number;
  /** First attempts that went on after their retry was acknowledged. */
  lateAnswers: number;
  frozen: number;
  killed: number;
  /** The number of times that a writer answered with an error code, and the request was repeated. */
  failures: Record<string, number>;
}

/** After so long without an answer a client asks another process, under the same request id. */
const PATIENCE_MS = 300;
const PAUSE_MS = 20;
/** For what hangs: together ten minutes. */
const MAX_ATTEMPTS = 2_000;

/** Several processes write at once, and are frozen, killed and pushed beside; reports what they were promised. */
export async function runRace(options: RaceOptions): Promise<RaceReport> {
  const { program, directory, placement, prefix, writers } = options;
  const place = (writer: number) => ({ program, directory, placement, prefix: prefix(writer) });
  const numbers = Array.from({ length: writers }, (_, number) => number + 1);
  const processes = await Promise.all(numbers.map((writer) => startWriter(place(writer))));
  const report = emptyReport();
  const late: Promise<void>[] = [];
  const gate = openGate(options);

  /** Sends a job to a process, and the next one if no answer comes, until one is acknowledged. */
  async function carryOut(job: Job, first: number): Promise<void> {
    for (let attempt = 0; report.acknowledged[job.requestId] === undefined; attempt++) {
      if (attempt > MAX_ATTEMPTS)
        throw new Error(`Nobody acknowledged ${job.requestId}: ${JSON.stringify(report)}`);
      if (attempt > 0) report.retried++;
      const asked = processes[(first + attempt) % writers]?.write(job) ?? Promise.resolve(null);
      const noted = asked.then((answer) => note(answer, job));
      late.push(noted);
      await Promise.race([noted, wait(PATIENCE_MS)]);
      if (report.acknowledged[job.requestId] === undefined) await wait(PAUSE_MS);
    }
  }

  function note(answer: Answer | null, { requestId }: Job): void {
    if (answer === null) return;
    if (answer.kind === 'failed') {
      report.failures[answer.code] = (report.failures[answer.code] ?? 0) + 1;
      return;
    }
    const known = report.acknowledged[requestId];
    if (known !== undefined) report.lateAnswers++;
    if (known !== undefined && known !== answer.commit) {
      report.violations.push(`${requestId} is both ${known} and ${answer.commit}`);
    }
    report.acknowledged[requestId] = answer.commit;
    report.replays += answer.replays;
    if (answer.replays > 0) report.replayed++;
  }

  async function writeAll(writer: number): Promise<void> {
    for (let number = 1; number <= options.writesEach; number++) {
      await gate.pass();
      await carryOut({ requestId: `request-${writer}-${number}`, page: `page-${writer}.md` }, writer - 1);
    }
  }

  const pusher = options.pushes ? startPusher(directory, options.housekeeping) : null;
  const housekeeper = options.housekeeping ? startHousekeeper(directory) : null;
  const trouble = makeTrouble(options, processes, place, report, gate);
  await Promise.all(numbers.map(writeAll));
  gate.end();
  await trouble;
  await Promise.all(late);
  if (pusher) await takePushes(pusher, report);
  if (housekeeper) await takeHousekeeping(housekeeper, report);
  await Promise.all(processes.map((process) => process.end()));
  return report;
}

function emptyReport(): RaceReport {
  const counts = { replayed: 0, replays: 0, retried: 0, lateAnswers: 0, frozen: 0, killed: 0 };
  return { acknowledged: {}, pushed: [], housekeeping: {}, violations: [], failures: {}, ...counts };
}

async function takePushes(pusher: Pusher, report: RaceReport): Promise<void> {
  const { accepted, unreasonable } = await pusher.end();
  report.pushed.push(...accepted);
  report.violations.push(...unreasonable);
}

async function takeHousekeeping(housekeeper: Housekeeper, report: RaceReport): Promise<void> {
  const { done, failures } = await housekeeper.end();
  report.housekeeping = done;
  report.violations.push(...failures);
}

/** The gate that all writers pass before each write: closed for a while after each third of the writes. */
function openGate({ writers, writesEach, quietMs }: RaceOptions) {
  const third = Math.floor((writers * writesEach) / 3);
  let passed = 0;
  let quiet: Promise<unknown> = Promise.resolve();
  let isEnded = false;
  return {
    async pass(): Promise<void> {
      passed++;
      if (passed === third || passed === 2 * third) quiet = wait(quietMs);
      await quiet;
    },
    /** The share of the writes that has begun. */
    progress: () => (isEnded ? 1 : passed / (writers * writesEach)),
    end: () => {
      isEnded = true;
    },
  };
}

/** Freezes and kills processes, spread evenly over the race. */
async function makeTrouble(
  { freezes, kills, freezeMs, writers, seed }: RaceOptions,
  processes: WriterProcess[],
  place: (writer: number) => Parameters<typeof startWriter>[0],
  report: RaceReport,
  gate: { progress(): number },
): Promise<void> {
  const random = randomNumbers(seed);
  const frozen = new Map<number, Promise<void>>();
  const troubles = shuffled(random, [
    ...new Array<Trouble>(freezes).fill('freeze'),
    ...new Array<Trouble>(kills).fill('kill'),
  ]);
  for (let done = 0; done < troubles.length; ) {
    if (gate.progress() >= 1) break;
    await wait(5 + random() * 20);
    const victim = Math.floor(random() * writers);
    const process = processes[victim];
    const isTooEarly = gate.progress() < done / troubles.length;
    if (!process || frozen.has(victim) || frozen.size === writers - 1 || isTooEarly) continue;
    if (troubles[done++] === 'kill') {
      report.killed++;
      await process.kill();
      processes[victim] = await startWriter(place(victim + 1));
    } else {
      report.frozen++;
      process.freeze();
      const thaws = wait(freezeMs).then(() => {
        process.thaw();
        frozen.delete(victim);
      });
      frozen.set(victim, thaws);
    }
  }
  await Promise.all(frozen.values());
}

type Trouble = 'freeze' | 'kill';

function shuffled(random: () => number, troubles: readonly Trouble[]): Trouble[] {
  return troubles
    .map((trouble) => ({ trouble, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ trouble }) => trouble);
}
