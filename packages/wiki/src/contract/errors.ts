/** Every way in which an operation can fail. Closed: clients branch on these and on nothing else. */
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

/** The three things that every error says, each a sentence or more in plain words. */
export interface ErrorText {
  happened: string;
  now: string;
  next: string;
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
 * What a caller may see of any failure: a WikiError as it is, everything else as `internal`, whose text tells
 * nothing of the cause (it may hold paths, page text or credentials); the cause stays in `cause` for the log.
 */
export function toWikiError(error: unknown): WikiError {
  if (error instanceof WikiError) return error;
  return new WikiError(
    'internal',
    {
      happened: 'The wiki failed in a way that it did not foresee.',
      now: 'A write that was under way may or may not have been committed.',
      next: 'Read the page again before you repeat a write; if it happens again, tell the person who runs the wiki to look in its log.',
    },
    {},
    { cause: error },
  );
}

/** For a call whose signal ended it before anything was committed. */
export function cancelled(): WikiError {
  return new WikiError('busy', {
    happened: 'The call was cancelled, or its time ran out.',
    now: 'Nothing was changed.',
    next: 'Call again if it is still wanted.',
  });
}
