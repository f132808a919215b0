/** The part of an answer that a script uses. */
export type Known = Record<string, unknown>;
/** Calls a tool and returns its structured form; that of an error is empty. */
export type Call = (tool: string, args: Record<string, unknown>) => Promise<Known>;
/** A call of another server. */
export type Step = readonly [tool: string, args: Record<string, unknown>];

/** One task of an agent on the wiki foam-docs, as the calls that it makes. */
export interface Task {
  name: string;
  run(call: Call): Promise<void>;
  /** The same task by another server, on the same files; missing where that cannot do it. */
  filesystem?: readonly Step[];
  mcpvault?: readonly Step[];
}
