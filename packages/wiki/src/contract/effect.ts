import { type OperationName, operations } from './operations.ts';

/** The effect of one call: a `write` that is a dry run, or that only reads, changes nothing. */
export function effectOf(operation: OperationName, input: unknown): 'read' | 'write' {
  const { mode, dry_run } = (input ?? {}) as { mode?: unknown; dry_run?: unknown };
  const onlyLooks = dry_run === true || (operation === 'maintain_wiki' && mode === 'check');
  return onlyLooks ? 'read' : operations[operation].effect;
}

/**
 * True if a call works for as long as it may, and a later one continues where it stopped. Calls of the
 * nightly schedule do not count: nobody waits for them.
 */
export function goesOnLater(operation: OperationName, input: unknown): boolean {
  const { once_a_night } = (input ?? {}) as { once_a_night?: unknown };
  return operation === 'maintain_wiki' && once_a_night !== true;
}
