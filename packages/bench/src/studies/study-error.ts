export type StudyErrorCode = 'interrupted' | 'step_failed' | 'misused' | 'other_results';

/** Why a study did not come to its end, in a sentence for the person who ran it. What was measured until then is kept. */
export class StudyError extends Error {
  readonly code: StudyErrorCode;

  constructor(code: StudyErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
