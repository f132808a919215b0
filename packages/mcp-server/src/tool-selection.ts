import { isOperationName, type OperationName, operationNames, operations } from '@pagetree/wiki/contract';

/** Sets of tools by name: fewer tools leave the model more of its context. */
export const presets: Readonly<Record<string, readonly OperationName[]>> = {
  all: operationNames,
  essential: [
    'read_page',
    'list_pages',
    'search_pages',
    'write_page',
    'edit_page',
    'append_to_page',
    'move_page',
    'get_history',
  ],
  'read-only': operationNames.filter((name) => operations[name].effect === 'read'),
};

export type ToolSelection = { kind: 'tools'; names: OperationName[] } | { kind: 'mistake'; sentence: string };

/**
 * The tools to offer, in the contract's order: what `only` names (all, where it names nothing) without what `except`
 * names. Both are lists of presets and tools, parted by commas. A name that is none is a mistake, because a tool that
 * was meant to be left out would be offered.
 */
export function selectTools(only: string | null, except: string | null): ToolSelection {
  const wanted = namesIn(only ?? 'all');
  const unwanted = namesIn(except ?? '');
  const unknown = [...wanted, ...unwanted].find((name) => toolsOf(name) === null);
  if (unknown !== undefined) {
    const known = [...Object.keys(presets), ...operationNames].join(', ');
    return {
      kind: 'mistake',
      sentence: `There is no tool or preset ${JSON.stringify(unknown)}. There are ${known}.`,
    };
  }
  const offered = new Set(wanted.flatMap((name) => toolsOf(name) ?? []));
  for (const name of unwanted.flatMap((name) => toolsOf(name) ?? [])) offered.delete(name);
  if (offered.size === 0) return { kind: 'mistake', sentence: 'The settings leave no tool at all.' };
  return { kind: 'tools', names: operationNames.filter((name) => offered.has(name)) };
}

function namesIn(list: string): string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function toolsOf(name: string): readonly OperationName[] | null {
  if (isOperationName(name)) return [name];
  return Object.hasOwn(presets, name) ? (presets[name] ?? null) : null;
}
