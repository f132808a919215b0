import { AsyncLocalStorage } from 'node:async_hooks';

/** Times operations and their phases, as X-Ray's segments. */
export interface Tracer {
  /** Runs an operation as a child of the segment that `header` names, and sends it when it ends. */
  operation<T>(
    header: string | undefined,
    name: string,
    work: () => Promise<T>,
    describe: Describe<T>,
  ): Promise<T>;
  /** Runs a phase of the current operation. */
  phase<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** The facts about the operation's result in a segment. */
export type Describe<T> = (
  result: T,
) => Partial<Pick<Segment, 'error' | 'fault' | 'throttle' | 'annotations'>>;

export interface TracerParts {
  /** Takes one datagram for the X-Ray daemon. */
  send: (datagram: string) => Promise<void>;
  clock: Clock;
  randomBytes(count: number): Buffer;
}

/**
 * Both in milliseconds: since 1970, in whole numbers; and monotonic, with fractions, but standing still in a
 * freeze.
 */
export interface Clock {
  now(): number;
  monotonic(): number;
}

/** X-Ray's own form; times are seconds since 1970. */
interface Segment {
  id: string;
  name: string;
  start_time: number;
  end_time?: number;
  /** An error that the caller can correct, a fault here, or too many calls at once. */
  error?: boolean;
  fault?: boolean;
  throttle?: boolean;
  annotations?: Record<string, string>;
  subsegments?: Segment[];
}

/** A datagram holds 64 KB, and a segment takes about 150 bytes. */
const MAX_SUBSEGMENTS = 200;

export function createTracer({ send, clock, randomBytes }: TracerParts): Tracer {
  const current = new AsyncLocalStorage<Surroundings>();

  const begin = (name: string, seconds: Surroundings['seconds']): Segment => ({
    id: randomBytes(8).toString('hex'),
    name,
    start_time: seconds(),
  });

  return {
    async operation(header, name, work, describe) {
      const parent = parseHeader(header);
      if (parent === null) return work();
      // Exact within the operation, and right after a freeze.
      const offset = clock.now() - clock.monotonic();
      const seconds = () => (offset + clock.monotonic()) / 1000;
      const segment = begin(name, seconds);
      let described: ReturnType<typeof describe> = { fault: true };
      try {
        const result = await current.run({ segment, seconds, room: { left: MAX_SUBSEGMENTS } }, work);
        described = describe(result);
        return result;
      } finally {
        const ended = { ...segment, ...described, end_time: seconds(), type: 'subsegment', ...parent };
        await send(`{"format":"json","version":1}\n${JSON.stringify(withoutOpen(ended))}`);
      }
    },

    async phase(name, work) {
      const around = current.getStore();
      if (around === undefined || around.room.left === 0) return work();
      around.room.left -= 1;
      const segment = begin(name, around.seconds);
      around.segment.subsegments ??= [];
      around.segment.subsegments.push(segment);
      try {
        return await current.run({ ...around, segment }, work);
      } catch (error) {
        segment.fault = true;
        throw error;
      } finally {
        segment.end_time = around.seconds();
      }
    },
  };
}

/**
 * The context of a phase: its parent segment, the operation's own time, and the number of segments that it
 * may still have.
 */
interface Surroundings {
  segment: Segment;
  seconds: () => number;
  room: { left: number };
}

/** For a start without tracing. */
export const untraced: Tracer = {
  operation: (_header, _name, work) => work(),
  phase: (_name, work) => work(),
};

/** Null if the trace is not sampled. */
function parseHeader(header: string | undefined): { trace_id: string; parent_id: string } | null {
  const fields = new Map(header?.split(';').map((field) => field.split('=', 2) as [string, string]));
  const [root, parent] = [fields.get('Root'), fields.get('Parent')];
  if (root === undefined || parent === undefined || fields.get('Sampled') !== '1') return null;
  return { trace_id: root, parent_id: parent };
}

/** Removes phases that have not ended: they belong to work that no caller waits for any more. */
function withoutOpen(segment: Segment): Segment {
  const { subsegments, ...rest } = segment;
  if (subsegments === undefined) return rest;
  return {
    ...rest,
    subsegments: subsegments.filter((child) => child.end_time !== undefined).map(withoutOpen),
  };
}
