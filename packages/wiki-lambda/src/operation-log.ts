import type { Granted } from '@pagetree/access/grants';
import {
  type ErrorCode,
  goesOnLater,
  isOperationName,
  type OperationName,
  type Output,
  operations,
  type WikiError,
} from '@pagetree/wiki/contract';
import { describeError, describeFailedWikis } from './describe-error.ts';

/** A log line of one call. It never contains page text, nor any arguments except those named here. */
export interface CallRecord {
  operation: OperationName | null;
  wiki: string | null;
  path: string | null;
  /** The caller's id, which names the write for ever. */
  requestId: string | null;
  /** True if the call only asks for the effect of a change. */
  isDryRun: boolean;
  /** True if the call works for as long as it may; see goesOnLater. */
  goesOnLater: boolean;
}

/** Extracts the logged facts of an event, which may be anything. */
export function describeEvent(event: unknown): CallRecord {
  const operation = text(event, 'operation');
  const input = property(event, 'input');
  const known = operation !== null && isOperationName(operation) ? operation : null;
  return {
    operation: known,
    wiki: text(input, 'wiki'),
    path: text(input, 'path'),
    requestId: text(input, 'request_id'),
    isDryRun: property(input, 'dry_run') === true,
    goesOnLater: known !== null && goesOnLater(known, input),
  };
}

export type MaintenanceRound = NonNullable<Output<'maintain_wiki'>['round']>;

export interface LogLineParts {
  record: CallRecord;
  /** As `name:version`. */
  functionName: string;
  /** Lambda's own id of this attempt, and when it ended in milliseconds since 1970. */
  invocation: { id: string; durationMs: number; timestamp: number };
  /** The person for whom the call was made; null if IAM let the caller call. */
  person: Granted | null;
  /** Why the grant of the call was refused; null if it was not. */
  refused: string | null;
  outcome: 'ok' | ErrorCode;
  /** The progress of a call that tidies all wikis. */
  round: MaintenanceRound | null;
  /** The commit of a call that wrote. */
  commit: string | null;
  /** The error of a failed call. */
  error: WikiError | null;
  /** In the first call of an environment: when each part of the start had ended. */
  init: Record<string, number> | null;
}

/** One line of JSON for one call, which is also CloudWatch's embedded metric format. */
export function logLine(parts: LogLineParts): string {
  const { record, functionName, invocation, person, refused, outcome, round, commit, error, init } = parts;
  const fault = isFault(outcome);
  const failedWikis = error === null ? null : describeFailedWikis(error);
  return JSON.stringify({
    _aws: {
      Timestamp: invocation.timestamp,
      CloudWatchMetrics: metricsOf(round),
    },
    level: fault || failedWikis !== null || refused !== null ? 'error' : 'info',
    operation: record.operation,
    wiki: record.wiki,
    path: record.path,
    request_id: record.requestId,
    invocation: invocation.id,
    ...(person !== null && { person }),
    ...(refused !== null && { refused }),
    outcome,
    commit,
    function: functionName.split(':', 1)[0],
    version: functionName,
    effect: record.operation === null ? 'read' : operations[record.operation].effect,
    duration: rounded(invocation.durationMs),
    faults: fault ? 1 : 0,
    busy: outcome === 'busy' ? 1 : 0,
    ...round,
    ...(init !== null && {
      init: Object.fromEntries(Object.entries(init).map(([part, ended]) => [part, rounded(ended)])),
    }),
    ...(failedWikis ?? (error !== null && (fault || outcome === 'busy') && describeError(error))),
  });
}

/** True if the caller did not cause it: the people who run the wiki should know. */
export function isFault(outcome: 'ok' | ErrorCode): boolean {
  return outcome === 'internal' || outcome === 'backend_unavailable' || outcome === 'write_state_unknown';
}

/** Few dimensions, as each combination of their values is billed. */
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

/**
 * Metrics of the nightly maintenance. What a round leaves undone is a metric only when the round is complete:
 * until then these numbers concern a part of the wikis.
 */
function metricsOf(round: MaintenanceRound | null): readonly object[] {
  if (round === null) return METRICS;
  const progress = round.wikis_left === 0 ? [...PROGRESS_METRICS, ...LEFT_UNDONE_METRICS] : PROGRESS_METRICS;
  return [...METRICS, { Namespace: 'Pagetree', Dimensions: [['function']], Metrics: progress }];
}

const PROGRESS_METRICS = [
  { Name: 'wikis_done', Unit: 'Count' },
  { Name: 'wikis_left', Unit: 'Count' },
  { Name: 'failures', Unit: 'Count' },
];

const LEFT_UNDONE_METRICS = [
  { Name: 'wikis_unfinished', Unit: 'Count' },
  { Name: 'debt_packs', Unit: 'Count' },
  { Name: 'debt_bytes', Unit: 'Bytes' },
  { Name: 'debt_growth_rounds', Unit: 'Count' },
];

function text(value: unknown, name: string): string | null {
  const found = property(value, name);
  return typeof found === 'string' ? found.slice(0, FIELD_CHARACTERS) : null;
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** A path has at most 400 characters. Anything longer is not a path, and not worth paying for. */
const FIELD_CHARACTERS = 500;

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}
