import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';

/**
 * One row of the contract: everything that a client, a tool list or a handler needs to know about an
 * operation.
 */
export interface Operation<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> {
  title: string;
  /** For the model that chooses among the tools: what the tool does, when to use it, what is special. */
  description: string;
  /** Flat and strict: no unions at the root, and unknown keys are refused. */
  input: Input;
  output: Output;
  effect: 'read' | 'write';
  hints: OperationHints;
  /**
   * The codes of this operation's errors, besides those that every operation may have: not_found,
   * invalid_input, forbidden, busy, backend_unavailable, internal. Any operation may have too_large too if native git
   * pushed a folder or a commit that is larger than the wiki reads.
   */
  errors: readonly ErrorCode[];
  /** Not a tool for models: only our own programs call it. */
  forPrograms?: true;
}

/** MCP's annotation hints; `openWorldHint` is false for all: the wiki is a closed world. */
export interface OperationHints {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: false;
}

/** The additional error codes of every write. */
export const writeErrors = [
  'version_conflict',
  'invalid_path',
  'too_large',
  'write_state_unknown',
] as const satisfies readonly ErrorCode[];

export const readHints: OperationHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Adds data and replaces none. */
export const addHints: OperationHints = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};

/** Replaces or removes data; history keeps it. */
export const replaceHints: OperationHints = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: false,
};

/** A row as it is written: its schemas are built when first used, since a start needs few of them. */
type Definition<Input extends z.ZodObject, Output extends z.ZodObject> = Omit<
  Operation<Input, Output>,
  'input' | 'output'
> & { input: () => Input; output: () => Output };

/** Keeps the row's exact types. */
export function defineOperation<const Input extends z.ZodObject, const Output extends z.ZodObject>({
  input: makeInput,
  output: makeOutput,
  ...rest
}: Definition<Input, Output>): Operation<Input, Output> {
  let input: Input | undefined;
  let output: Output | undefined;
  return {
    ...rest,
    get input() {
      input ??= makeInput();
      return input;
    },
    get output() {
      output ??= makeOutput();
      return output;
    },
  };
}
