import { calibrate } from '../index/measure.ts';
import { EngineFailed, EngineGone } from './engines/engine.ts';
import { type Miss, type Sample, type Summary, summarize, together } from './samples.ts';
import { type Client, type Counts, type Draw, type Operation, type Stage, scenarios } from './workload.ts';

/** An engine, and how much of it is measured. */
export interface EnginePlan {
  /** The program and its arguments. */
  command: readonly string[];
  counts: Counts;
  /** The bare repository of which it gets a copy. */
  wiki: string;
  /** The first listing loads an index, so its time says nothing about later ones. */
  loadsIndex: boolean;
}

/** The limits for all engines of a run. */
export interface Limits {
  /** Reads before anything is measured of a process that has the wiki open. */
  warmUp: number;
  /** No more samples of an operation are begun after so long. */
  operationSeconds: number;
  /** An operation of which one call takes longer is not measured. */
  callSeconds: number;
  /** No operation is begun after this time, in milliseconds since 1970. */
  endsAt: number;
}

/** The place in which an engine is measured: a copy of the wiki, and processes that open it. */
export interface Place {
  /** A process that has opened the wiki, and what that cost. `fresh` is a new client each time. */
  open(client: 'own' | 'other' | 'fresh'): Promise<{ client: Client; opening: Sample }>;
  draw: Draw;
}

export interface MeasuredEngine {
  /** Null if it is not asked for; in words why it could not be measured. */
  measure(operation: Operation): Promise<Summary | string | null>;
  end(): Promise<void>;
}

/** One engine in its place; its processes start when an operation first needs them. */
export function measuredEngine(engine: EnginePlan, limits: Limits, place: Place): MeasuredEngine {
  const { draw } = place;
  let stage: Stage | null = null;

  async function measure(operation: Operation): Promise<Summary | string | null> {
    const count = engine.counts[operation] ?? 0;
    if (count === 0) return null;
    if (Date.now() > limits.endsAt) return 'No time was left for it.';
    try {
      return await (operation === 'read_cold' ? measureCold(count) : measureWarm(operation, count));
    } catch (error) {
      if (!(error instanceof EngineGone || error instanceof EngineFailed)) throw error;
      await end();
      return error.message;
    }
  }

  async function measureCold(count: number): Promise<Summary | string> {
    const calibration = await calibrate();
    const samples = await repeat(count, limits.operationSeconds, async () => {
      const { client, opening } = await place.open('fresh');
      const first = await tried(() => client.run(draw.read()));
      await client.end();
      return 'missed' in first ? first : together([opening, first]);
    });
    return summarize(samples, calibration);
  }

  async function measureWarm(
    operation: Exclude<Operation, 'read_cold'>,
    count: number,
  ): Promise<Summary | string> {
    const current = stage ?? (await openStage());
    stage = current;
    const { own, other } = current;
    const scenario = scenarios[operation];
    const first = tellings.has(operation) ? await tried(() => scenario(current)) : null;
    // After the first call: what that leaves to be done in passing ends meanwhile.
    const calibration = await calibrate();
    const samples =
      first && takesTooLongForMore(first)
        ? [first]
        : await repeat(count, limits.operationSeconds, () => tried(() => scenario(current)));
    const settled = await own.run({ do: 'settle' });
    await other.run({ do: 'settle' });
    await tried(() => own.run(draw.read()));
    return summarize(samples, calibration, operation === 'write' ? [settled] : []);
  }

  function takesTooLongForMore(first: Sample | Miss): boolean {
    if (engine.loadsIndex || 'missed' in first) return false;
    return first.milliseconds > SLOW_MILLISECONDS;
  }

  async function openStage(): Promise<Stage> {
    const own = await place.open('own');
    const other = await place.open('other');
    await repeat(limits.warmUp, limits.operationSeconds, () => tried(() => own.client.run(draw.read())));
    await repeat(3, limits.operationSeconds, () => tried(() => own.client.run(draw.append())));
    return { own: own.client, other: other.client, draw };
  }

  async function end(): Promise<void> {
    await Promise.all([stage?.own.end(), stage?.other.end()]);
    stage = null;
  }

  return { measure, end };
}

/**
 * Operations whose first call does work for all later ones. It does not count with them, unless it takes very
 * long.
 */
const tellings: ReadonlySet<Operation> = new Set(['diff', 'list', 'recent', 'history']);
const SLOW_MILLISECONDS = 3000;

async function tried(action: () => Promise<Sample | Miss>): Promise<Sample | Miss> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof EngineFailed)) throw error;
    return { missed: 'failed', failure: error.message };
  }
}

/** So often, but no longer than `seconds`, and at least once. */
async function repeat<Result>(
  count: number,
  seconds: number,
  action: () => Promise<Result>,
): Promise<Result[]> {
  const end = performance.now() + seconds * 1000;
  const results: Result[] = [];
  while (results.length < count && (results.length === 0 || performance.now() < end)) {
    results.push(await action());
  }
  return results;
}
