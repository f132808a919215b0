import { WikiError } from '@pagetree/wiki/contract';

/**
 * The reason for a failure: the thrown error or, if the wiki itself gave up, its own words, which concern
 * files and settings.
 */
export function describeError({ cause, text }: WikiError): object {
  return cause === undefined ? { reason: text.happened } : { cause: describeCause(cause) };
}

/** Each wiki that failed in a call for all wikis, with its reason; null if the error is not of such a call. */
export function describeFailedWikis({ cause }: WikiError): object | null {
  if (!(cause instanceof AggregateError)) return null;
  const failures = cause.errors.filter((error) => error instanceof WikiError);
  const described = failures.slice(0, MAX_WIKIS).map(({ code, text, data, cause: thrown }, index) => ({
    wiki: String(data.wiki).slice(0, MAX_NAME_CHARACTERS),
    outcome: code,
    reason: text.happened.slice(0, MAX_REASON_CHARACTERS),
    ...(thrown !== undefined && index < MAX_CAUSES && { cause: describeCause(thrown) }),
  }));
  return { failed_wikis: described, failed_wikis_more: failures.length - described.length };
}

/**
 * The origin and name of a thrown error. Its message is included only if it comes from the system or the
 * storage, and so concerns files: any other may quote a page.
 */
function describeCause(cause: unknown): object {
  if (!(cause instanceof Error)) return { type: typeof cause };
  const { code, errno } = cause as { code?: unknown; errno?: unknown };
  const isOfFiles = cause.name === 'StorageError' || typeof errno === 'number';
  return {
    name: cause.name,
    ...(isOfFiles && { code: typeof code === 'string' ? code : null, message: cause.message }),
    at: stackFrames(cause),
    ...(cause.cause !== undefined && { cause: describeCause(cause.cause) }),
  };
}

function stackFrames({ stack = '' }: Error): string[] {
  const lines = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return lines.slice(0, 8).map((line) => line.trim());
}

/** CloudWatch cuts a line off at 256 KiB, and then it is no metric. */
const MAX_WIKIS = 100;
const MAX_NAME_CHARACTERS = 100;
const MAX_REASON_CHARACTERS = 500;
/** Most failures of one night have one cause. */
const MAX_CAUSES = 10;
