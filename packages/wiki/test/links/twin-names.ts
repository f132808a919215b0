import type { VaultState } from './vault-state.ts';

/**
 * The names of files and folders beside which lies another one that differs only in case or in its Unicode
 * form, without their folders: such names may move with them.
 */
export function twinsIn({ paths }: VaultState): string[] {
  const spelled = new Map<string, Set<string>>();
  for (const path of paths) {
    const parts = path.split('/');
    for (const end of parts.keys()) {
      const name = parts.slice(0, end + 1).join('/');
      const key = `${parts.slice(0, end).join('/')}/${parts[end]?.normalize('NFC').toLowerCase()}`;
      spelled.set(key, (spelled.get(key) ?? new Set()).add(name));
    }
  }
  const twins = [...spelled.values()].filter((names) => names.size > 1);
  return twins.flatMap((names) => [...names].map((name) => name.split('/').at(-1) ?? ''));
}
