/** The context that a command passes to its study. */
export interface Surroundings {
  /** Aborted by Ctrl-C: the study ends after the step that is under way, and goes on from there the next time. */
  readonly signal: AbortSignal;
  /** Called with each step, to show people the progress. */
  readonly progress: (line: string) => unknown;
}

/** A study as a command: its arguments, and its final message. @throws StudyError */
export type RunStudy = (args: readonly string[], surroundings: Surroundings) => Promise<string>;
