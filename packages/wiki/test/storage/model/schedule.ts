import { moveBranch, write } from './branch.ts';
import { judge, judgeObjects } from './judge.ts';
import { deleteOldEntries, maintain, read } from './maintenance.ts';
import { type Client, emptyRepository, type Process, type Steps, type World } from './repository.ts';
import type { Rule } from './rules.ts';
import {
  collectGarbage,
  killAll,
  letADayPass,
  letHoursPass,
  losePower,
  push,
  restoreCopy,
} from './surroundings.ts';

/** A process of a run: it takes a step now and then, may freeze for long, and may die. */
interface Runner {
  process: Process;
  steps: Steps;
  state: 'later' | 'ready' | 'frozen' | 'dead' | 'done';
  mayDie: boolean;
}

interface Cast {
  mode: World['mode'];
  requests: number;
  attempts: number;
  /** Attempts of each request that begin only after the break. */
  later: number;
  movers: number;
  maintainers: number;
  readers: number;
  pushes: number;
  collectors: number;
  /** Sweepers of old request entries, which come after the break and while hours pass. */
  sweepers: number;
  /** True if a process died long ago while holding git's lock. */
  deadLock: boolean;
  /** Ends all running processes at a random moment. */
  break: ((world: World) => void) | null;
}

const NOBODY: Cast = {
  mode: 'local',
  requests: 2,
  attempts: 2,
  later: 0,
  movers: 0,
  maintainers: 0,
  readers: 0,
  pushes: 0,
  collectors: 0,
  sweepers: 0,
  deadLock: false,
  break: null,
};

/** Each run is of one of these kinds, so that what is rare together by chance is met often enough. */
const CASTS: readonly Partial<Cast>[] = [
  { mode: 'nfs', requests: 3, readers: 1 },
  { mode: 'nfs', maintainers: 2, readers: 2 },
  { mode: 'nfs', attempts: 4 },
  { mode: 'nfs', attempts: 1, later: 2, sweepers: 2, break: letADayPass },
  { mode: 'nfs', later: 2, break: restoreCopy },
  { mode: 'local', requests: 3, readers: 1, movers: 1 },
  { mode: 'local', pushes: 2, movers: 1, readers: 1 },
  { mode: 'local', requests: 1, pushes: 1, movers: 3 },
  { mode: 'local', requests: 1, attempts: 1, later: 1, pushes: 2, movers: 5, break: killAll },
  { mode: 'local', requests: 1, attempts: 1, pushes: 2, movers: 3, deadLock: true },
  { mode: 'local', pushes: 1, collectors: 2, maintainers: 1, movers: 1 },
  { mode: 'local', requests: 1, attempts: 3, collectors: 2, maintainers: 2 },
  { mode: 'local', attempts: 1, later: 1, pushes: 1, movers: 2, sweepers: 2, break: letADayPass },
  { mode: 'local', attempts: 1, later: 2, sweepers: 2, break: letADayPass },
  { mode: 'local', attempts: 1, later: 2, movers: 2, break: losePower },
  { mode: 'local', attempts: 1, later: 1, maintainers: 3, break: losePower },
];

/**
 * Runs one random interleaving with a rule left out, or with none, and returns what it broke in plain words;
 * empty if every promise held. The same seed gives the same run.
 */
export function runSchedule(seed: number, leftOut: Rule | null): string[] {
  const random = seededRandom(seed);
  const cast = { ...NOBODY, ...CASTS[seed % CASTS.length] };
  const runners: Runner[] = [];
  let numbers = 0;
  const world: World = {
    repository: emptyRepository(),
    mode: cast.mode,
    leftOut,
    random,
    nextNumber: () => ++numbers,
    isDead: (id) => ['dead', 'done'].includes(runners[id]?.state ?? 'dead'),
    acknowledged: new Set(),
    failures: [],
  };
  populate(world, cast, runners);
  interleave(world, cast, runners);
  settle(world, runners);
  return [...new Set(world.failures)];
}

function populate(world: World, cast: Cast, runners: Runner[]): void {
  const { random } = world;
  const clients = [0, 1, 2].map(() => newClient(random() * 6 - 3));
  const start = (state: 'later' | 'ready', steps: (process: Process) => Steps) => {
    const client = clients[Math.floor(random() * clients.length)] ?? newClient(0);
    runners.push(newRunner(runners.length, client, state, true, steps));
  };
  const outside = (steps: (process: Process) => Steps) =>
    runners.push(newRunner(runners.length, newClient(0), 'ready', false, steps));
  for (let request = 1; request <= cast.requests; request++) {
    for (let n = 0; n < cast.attempts; n++) start('ready', (process) => writeOf(world, process, request));
    for (let n = 0; n < cast.later; n++) start('later', (process) => writeOf(world, process, request));
  }
  for (let n = 0; n < cast.movers; n++) start('ready', (process) => moveBranch(world, process));
  for (let n = 0; n < cast.maintainers; n++) start('ready', (process) => maintain(world, process));
  for (let n = 0; n < cast.readers; n++) start('ready', (process) => read(world, process));
  for (let n = 0; n < cast.pushes; n++) {
    const copied = random() < 0.3 ? 'write 1' : null;
    outside((process) => push(world, process, `push ${n}`, copied));
  }
  for (let n = 0; n < cast.collectors; n++) outside(() => collectGarbage(world));
  for (let n = 0; n < cast.sweepers; n++) start('later', (process) => deleteOldEntries(world, process));
  if (cast.sweepers > 0) start('later', () => letHoursPass(world));
  if (cast.deadLock) world.repository.lock = { owner: -1, content: null };
}

function writeOf(world: World, process: Process, request: number): Steps {
  const id = `write ${request}`;
  return write(world, process, { id, ageless: false, applies: () => [id] });
}

function newClient(skewHours: number): Client {
  return { head: null, absent: new Set(), packs: null, skewHours };
}

function newRunner(
  id: number,
  client: Client,
  state: 'later' | 'ready',
  mayDie: boolean,
  begin: (process: Process) => Steps,
): Runner {
  const process = { id, client };
  return { process, steps: begin(process), state, mayDie };
}

const MAX_STEPS = 800;

/**
 * Lets the processes run, mostly in bursts, in part of the runs nearly one after the other; frozen ones go on
 * when all others have ended.
 */
function interleave(world: World, cast: Cast, runners: Runner[]): void {
  const { random } = world;
  const breakAt = cast.break === null ? -1 : Math.floor(random() * 120);
  const queue = shuffled(runners, random);
  const disorder = random() < 0.5 ? 1 : 0.2;
  const next = () => pick(queue, random() < disorder ? random() : 0);
  let current: Runner | undefined;
  for (let step = 0; step < MAX_STEPS; step++) {
    if (current?.state !== 'ready' || random() < 0.3) current = next();
    const isQuiet = !runners.some((runner) => runner.state === 'ready');
    if (step === breakAt || (isQuiet && runners.some((runner) => runner.state === 'later'))) {
      cast.break?.(world);
      restart(runners);
      current = next();
    }
    if (current === undefined) return;
    const chance = random();
    if (chance < 0.01 && current.mayDie) current.state = 'dead';
    else if (chance < 0.06) current.state = 'frozen';
    else if (current.steps.next().done) current.state = 'done';
  }
  world.failures.push('a process that never ends');
}

function pick(queue: readonly Runner[], place: number): Runner | undefined {
  const ready = queue.filter((runner) => runner.state === 'ready');
  const able = ready.length > 0 ? ready : queue.filter((runner) => runner.state === 'frozen');
  const picked = able[Math.floor(place * able.length)];
  if (picked) picked.state = 'ready';
  return picked;
}

function shuffled(runners: readonly Runner[], random: () => number): Runner[] {
  const keyed = runners.map((runner) => ({ runner, key: random() }));
  return keyed.sort((left, right) => left.key - right.key).map(({ runner }) => runner);
}

/** All processes are gone and their clients know nothing; those that were to come later begin. */
function restart(runners: Runner[]): void {
  for (const { process, state } of runners) {
    Object.assign(process.client, newClient(process.client.skewHours));
    const runner = runners[process.id];
    if (runner) runner.state = state === 'later' ? 'ready' : state === 'done' ? 'done' : 'dead';
  }
}

const LONGEST_PROCESS = 400;

/** A cold client comes last: it must bring the branch up, be able to write, and find everything promised. */
function settle(world: World, runners: Runner[]): void {
  const client = newClient(0);
  const last = { id: 'write last', ageless: true, applies: () => ['write last'] };
  for (const steps of [
    (process: Process) => moveBranch(world, process),
    (process: Process) => moveBranch(world, process),
    (process: Process) => judgeObjects(world, process),
    (process: Process) => write(world, process, last),
    (process: Process) => judge(world, process),
  ]) {
    const runner = newRunner(runners.length, client, 'ready', false, steps);
    runners.push(runner);
    let taken = 0;
    while (taken < LONGEST_PROCESS && !runner.steps.next().done) taken++;
    if (taken === LONGEST_PROCESS) world.failures.push('a process that never ends');
    runner.state = 'done';
  }
}

/** A small generator of random numbers (mulberry32), so that a schedule can be run again from its seed. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
