import { z } from 'zod';

/** One call of the wiki, timed. */
export const phase0Call = z.object({
  /** The function's own time, without the network and without its start. */
  function_ms: z.number(),
  /** As the caller saw it, the start included where there was one. */
  wall_ms: z.number(),
  /** Part after part, of a call that met a new environment; names as the target can tell them. */
  cold: z.record(z.string(), z.number()).nullable(),
  /** Of a write, the part that was the commit alone, when the repository was there. */
  commit_ms: z.number().optional(),
});
export type Phase0Call = z.infer<typeof phase0Call>;

/** Where the study runs. Calls may run at the same time; one that fails rejects. */
export interface Phase0Target {
  /** Sees to it that the next call meets a new environment: on AWS by a change of an environment variable. */
  forceCold(): Promise<void>;
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
