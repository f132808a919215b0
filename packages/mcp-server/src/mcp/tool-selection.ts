import { type OperationName, operationNames, operations } from '@pagetree/wiki/contract';

/** Every operation that is a tool, in the contract's order. */
export const toolNames: readonly OperationName[] = operationNames.filter(
  (name) => operations[name].forPrograms === undefined,
);

/** Sets of tools by name: fewer tools leave the model more of its context. */
export const presets: Readonly<Record<string, readonly OperationName[]>> = {
  all: toolNames,
  essential: [
    'read_page',
    'list_pages',
    'search_pages',
    'write_page',
    'edit_page',
    'append_to_page',
    'move_page',
    'get_history',
    'restore_page',
    'revert_commit',
    'get_links',
  ],
  // An export writes a file.
  'read-only': toolNames.filter((name) => operations[name].effect === 'read' && name !== 'export_wiki'),
};

export type ToolSelection =
  /** `savesFiles`: tools may write to this machine, which `read-only` tools must not. */
  { kind: 'tools'; names: OperationName[]; savesFiles: boolean } | { kind: 'mistake'; sentence: string };

/**
 * The tools to offer, in the contract's order: those in `only` (all if it is empty) without those in
 * `except`. Both are comma-separated lists of presets and tools. An unknown name is a mistake: otherwise a
 * tool that should be left out would be offered.
 */
export function selectTools(only: string | null, except: string | null): ToolSelection {
  const wanted = namesIn(only ?? 'all');
  const unwanted = namesIn(except ?? '');
  const unknown = [...wanted, ...unwanted].find((name) => toolsOf(name) === null);
  if (unknown !== undefined) {
    const known = [...Object.keys(presets), ...toolNames].join(', ');
    return {
      kind: 'mistake',
      sentence: `There is no tool or preset ${JSON.stringify(unknown)}. There are ${known}.`,
    };
  }
  const offered = new Set(wanted.flatMap((name) => toolsOf(name) ?? []));
  for (const name of unwanted.flatMap((name) => toolsOf(name) ?? [])) offered.delete(name);
  if (offered.size === 0) return { kind: 'mistake', sentence: 'The settings leave no tool at all.' };
  const names = toolNames.filter((name) => offered.has(name));
  return { kind: 'tools', names, savesFiles: !wanted.includes('read-only') };
}

/** The tools of a selection that change nothing. */
export function readingOnly(selection: ToolSelection): ToolSelection {
  if (selection.kind === 'mistake') return selection;
  const names = selection.names.filter((name) => presets['read-only']?.includes(name));
  if (names.length === 0) return { kind: 'mistake', sentence: 'The settings leave no tool at all.' };
  return { kind: 'tools', names, savesFiles: false };
}

function namesIn(list: string): string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function toolsOf(name: string): readonly OperationName[] | null {
  const tool = toolNames.find((each) => each === name);
  if (tool !== undefined) return [tool];
  return Object.hasOwn(presets, name) ? (presets[name] ?? null) : null;
}
