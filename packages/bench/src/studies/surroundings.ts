/** What a study is given by the command that runs it. */
export interface Surroundings {
  /** Aborted by Ctrl-C: the study ends after the step that is under way, and goes on from there the next time. */
  readonly signal: AbortSignal;
  /** Told each step, for people to see that it goes on. */
  readonly progress: (line: string) => unknown;
}

/** A study as a command: its arguments, and what it has to tell in the end. @throws StudyError */
export type RunStudy = (args: readonly string[], surroundings: Surroundings) => Promise<string>;
