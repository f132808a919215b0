/**
 * Every way in which an operation can fail. The list is closed: clients branch on these codes and on nothing
 * else.
 */
export const errorCodes = [
  'not_found',
  'already_exists',
  'version_conflict',
  'would_truncate',
  'no_match',
  'ambiguous_match',
  'invalid_path',
  'invalid_input',
  'too_large',
  'forbidden',
  'busy',
  'backend_unavailable',
  'write_state_unknown',
  'internal',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** The three parts of every error message, each one or more sentences in plain words. */
export interface ErrorText {
  happened: string;
  now: string;
  /** For an agent, or a program that called the operation. */
  next: string;
  /** The same for the person at a terminal who runs the wiki, if `next` does not suit them. */
  atTerminal?: string | undefined;
}

/** A cure that only the person who runs the server can apply: an agent passes it on, the person reads it. */
export function cureByPerson(cure: string): Pick<ErrorText, 'next' | 'atTerminal'> {
  return { next: `Tell the person who runs this server: ${cure}`, atTerminal: cure };
}

/** The last part of an error for a person at a terminal. */
export function nextAtTerminal({ next, atTerminal }: ErrorText): string {
  return atTerminal ?? next;
}

/** Facts for programs, such as `version`, `near`, `retry_after_ms`. Plain JSON values only. */
export type ErrorData = Record<string, unknown>;

/** The one error that an operation throws. Its message reads `code: what happened. What is true now. What to do next.` */
export class WikiError extends Error {
  override readonly name = 'WikiError';
  readonly code: ErrorCode;
  readonly text: ErrorText;
  readonly data: ErrorData;

  constructor(code: ErrorCode, text: ErrorText, data: ErrorData = {}, options?: ErrorOptions) {
    super(`${code}: ${text.happened} ${text.now} ${text.next}`, options);
    this.code = code;
    this.text = text;
    this.data = data;
  }
}

/**
 * The visible form of any failure: a WikiError unchanged, everything else as `internal`. The text of
 * `internal` does not mention the cause (it may contain paths, page text or credentials). The cause stays in
 * `cause` for the log.
 */
export function toWikiError(error: unknown): WikiError {
  if (error instanceof WikiError) return error;
  return new WikiError(
    'internal',
    {
      happened: 'The wiki failed in a way that it did not foresee.',
      now: 'A write that was under way may or may not have been committed.',
      next: 'Read the page again before you repeat a write; if it happens again, tell the person who runs the wiki to look in its log.',
      atTerminal: 'Try again. If it happens again, report it with the cause that stands here.',
    },
    {},
    { cause: error },
  );
}

/**
 * Says how an error answers the question for a page, a part of one, a file or a commit: the thing is `missing`, or the
 * question is `refused`, as it will be the next time. Null for a failure, which may pass, and if the wiki itself is missing.
 */
export function absenceIn(error: unknown): 'missing' | 'refused' | null {
  const { code, data } = toWikiError(error);
  // Only the error for an unknown wiki names those that are there.
  return Array.isArray(data.wikis) ? null : (ABSENCES[code] ?? null);
}

const ABSENCES: Partial<Record<ErrorCode, 'missing' | 'refused'>> = {
  not_found: 'missing',
  no_match: 'missing',
  ambiguous_match: 'refused',
  invalid_path: 'refused',
  invalid_input: 'refused',
  too_large: 'refused',
  forbidden: 'refused',
};

/**
 * The error for a wiki that is not among those that are `present`, one at least. `defaultWiki` is the one of calls that
 * name none; null if there is none.
 */
export function noSuchWiki(name: string, present: readonly string[], defaultWiki: string | null): WikiError {
  const [first] = present;
  const pass = `Pass wiki: ${JSON.stringify(first)}`;
  const named = JSON.stringify(defaultWiki);
  const otherwise = present.some((each) => each === defaultWiki)
    ? `${pass}, or leave wiki out for the default one.`
    : `${pass}. Where none is named, ${named} is meant: ask the person who runs this to name another.`;
  return new WikiError(
    'not_found',
    {
      happened: `There is no wiki ${JSON.stringify(name)}.`,
      now: `There are: ${present.join(', ')}.`,
      next: defaultWiki === null ? `${pass}.` : otherwise,
      atTerminal: `Name another one, as --wiki ${first}.`,
    },
    { wikis: present },
  );
}

/** Ends work for a caller that has gone, before any of it is committed. */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw cancelled();
}

/** The error of a call whose signal ended it before anything was committed. */
export function cancelled(): WikiError {
  return new WikiError('busy', {
    happened: 'The call was cancelled, or its time ran out.',
    now: 'Nothing was changed.',
    next: 'Call again if it is still wanted.',
    atTerminal: 'Run the command again if it is still wanted.',
  });
}
