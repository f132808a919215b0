import { type OperationName, operationNames } from '../../../../src/contract/operations.ts';

/** Operations that take the whole wiki: they are refused with a scope, and not by the model, which has none. */
export const OF_THE_WHOLE_WIKI: readonly OperationName[] = [
  ...(['create_wiki', 'maintain_wiki', 'sync_wiki'] as const),
  ...(['get_remote', 'set_remote', 'report_sync'] as const),
  ...(['list_refs', 'send_objects', 'receive_push', 'merge_commits'] as const),
];

/** Operations whose own answer is not compared. `list_remotes` says of each wiki that its remote takes the whole wiki. */
const NOT_COMPARED: ReadonlySet<OperationName> = new Set([...OF_THE_WHOLE_WIKI, 'list_remotes']);

/** The other operations of which fewer than `least` answers were compared. */
export function rarelyCompared(
  compared: Partial<Record<OperationName, number>>,
  least: number,
): OperationName[] {
  return operationNames.filter((name) => !NOT_COMPARED.has(name) && (compared[name] ?? 0) < least);
}
