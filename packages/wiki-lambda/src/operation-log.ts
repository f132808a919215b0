import {
  type ErrorCode,
  isOperationName,
  type OperationName,
  operations,
  type WikiError,
} from '@pagetree/wiki/contract';

/** What the log tells of one call. Page text is never told, nor any other argument than those named here. */
export interface CallRecord {
  operation: OperationName | null;
  wiki: string | null;
  path: string | null;
  /** The caller's, which names the write for ever. */
  requestId: string | null;
  /** Only asks what a change would do. */
  isDryRun: boolean;
}

/** Reads what the log tells of an event, which may be anything. */
export function describeEvent(event: unknown): CallRecord {
  const operation = text(event, 'operation');
  const input = property(event, 'input');
  return {
    operation: operation !== null && isOperationName(operation) ? operation : null,
    wiki: text(input, 'wiki'),
    path: text(input, 'path'),
    requestId: text(input, 'request_id'),
    isDryRun: property(input, 'dry_run') === true,
  };
}

export interface LogLineParts {
  record: CallRecord;
  /** As `name:version`. */
  functionName: string;
  /** Of Lambda: its own id of this attempt, and when it ended in milliseconds since 1970. */
  invocation: { id: string; durationMs: number; timestamp: number };
  outcome: 'ok' | ErrorCode;
  /** Of a call that wrote: the commit that git has of it. */
  commit: string | null;
  /** What a failed call threw. */
  error: WikiError | null;
  /** Of the first call of an environment: when each part of the start had ended. */
  init: Record<string, number> | null;
}

/** One line of JSON for one call, which is also CloudWatch's embedded metric format. */
export function logLine(parts: LogLineParts): string {
  const { record, functionName, invocation, outcome, commit, error, init } = parts;
  const fault = isFault(outcome);
  return JSON.stringify({
    _aws: { Timestamp: invocation.timestamp, CloudWatchMetrics: METRICS },
    level: fault ? 'error' : 'info',
    operation: record.operation,
    wiki: record.wiki,
    path: record.path,
    request_id: record.requestId,
    invocation: invocation.id,
    outcome,
    commit,
    function: functionName.split(':', 1)[0],
    version: functionName,
    effect: record.operation === null ? 'read' : operations[record.operation].effect,
    duration: rounded(invocation.durationMs),
    faults: fault ? 1 : 0,
    busy: outcome === 'busy' ? 1 : 0,
    ...(init !== null && {
      init: Object.fromEntries(Object.entries(init).map(([part, ended]) => [part, rounded(ended)])),
    }),
    ...(error !== null && (fault || outcome === 'busy') && describeError(error)),
  });
}

/** Not the caller's doing: somebody who runs the wiki should know. */
export function isFault(outcome: 'ok' | ErrorCode): boolean {
  return outcome === 'internal' || outcome === 'backend_unavailable' || outcome === 'write_state_unknown';
}

/** Few dimensions, for each combination of their values is paid for. */
const METRICS = [
  {
    Namespace: 'Pagetree',
    Dimensions: [['function', 'effect']],
    Metrics: [
      { Name: 'duration', Unit: 'Milliseconds' },
      { Name: 'faults', Unit: 'Count' },
      { Name: 'busy', Unit: 'Count' },
    ],
  },
];

/** Why it failed: what was thrown or, where the wiki itself gave up, its own words, which are of files and settings. */
function describeError({ cause, text }: WikiError): object {
  return cause === undefined ? { reason: text.happened } : { cause: describeCause(cause) };
}

/**
 * Where it was thrown, and by what name. The message only of what the system and the storage say, which is of files:
 * any other may quote a page.
 */
function describeCause(cause: unknown): object {
  if (!(cause instanceof Error)) return { type: typeof cause };
  const isOfFiles = cause.name === 'StorageError' || typeof property(cause, 'errno') === 'number';
  return {
    name: cause.name,
    ...(isOfFiles && { code: text(cause, 'code'), message: cause.message }),
    at: stackFrames(cause),
    ...(cause.cause !== undefined && { cause: describeCause(cause.cause) }),
  };
}

function stackFrames({ stack = '' }: Error): string[] {
  const lines = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return lines.slice(0, 8).map((line) => line.trim());
}

function text(value: unknown, name: string): string | null {
  const found = property(value, name);
  return typeof found === 'string' ? found.slice(0, FIELD_CHARACTERS) : null;
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** A path has 400 at most; what is longer is no path, and not to be paid for. */
const FIELD_CHARACTERS = 500;

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}
