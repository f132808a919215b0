import { z } from 'zod';

/** One call of the wiki, timed. */
export const phase0Call = z.object({
  /** The function's own time, without the network and without its start. */
  function_ms: z.number(),
  /** As the caller saw it, the start included if there was one. */
  wall_ms: z.number(),
  /** The times of the parts of a call that met a new environment, by the target's own names. */
  cold: z.record(z.string(), z.number()).nullable(),
  /** The times of the parts of a warm call, if the target can report them. They add up to wall time. */
  warm: z.record(z.string(), z.number()).optional(),
  /** The part of a write that was the commit alone, when the repository was there. */
  commit_ms: z.number().optional(),
});
export type Phase0Call = z.infer<typeof phase0Call>;

/** The target of the study. Calls may run at the same time; a failed one rejects. */
export interface Phase0Target {
  /** Sees to it that the next call meets a new environment: on AWS by a change of an environment variable. */
  forceCold(): Promise<void>;
  /**
   * The published work of a cold start: makes a repository of that name, commits one page to it, reads the page, and
   * reads the log. `cold` has each of the four as a part, by its name.
   */
  initCommitReadLog(name: string): Promise<Phase0Call>;
  /** Reads a page that was there before the study began. */
  read(): Promise<Phase0Call>;
  /** Makes a repository of that name, which is none yet, and one commit in it. */
  initAndCommit(name: string): Promise<Phase0Call>;
  /** Commits one page with this path to the repository that all share. */
  commit(path: string): Promise<Phase0Call>;
  /** Which of these paths are in the newest commit of the shared repository. */
  landed(paths: readonly string[]): Promise<readonly string[]>;
  close(): Promise<void>;
}
