import { lastPartOf } from '../core/page-path.ts';
import type { LinkAddress } from '../core/text/link-resolver.ts';

/**
 * What a page must be called for a link to lead to it: the last part of its path, or one of its aliases, folded as
 * `foldedName` does. Mostly it is one name, since few links hold a folder or a `#` that may belong to the name.
 */
export function namesOfLink({ kind, target, anchor }: LinkAddress): string[] {
  const names = new Set<string>();
  for (const written of kind === 'wiki' ? withHashes(target, anchor) : [target]) {
    const name = written.replace(/(\/\.)*\/?$/, '').trim();
    names.add(foldedName(lastPartOf(name).replace(/\.md$/i, '')));
    if (kind === 'wiki') names.add(foldedName(name));
  }
  names.delete('');
  return [...names];
}

export function foldedName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

function withHashes(target: string, anchor: string | null): string[] {
  const names = [target];
  for (const part of anchor?.split('#', mostHashes) ?? []) names.push(`${names.at(-1)}#${part}`);
  return names;
}

const mostHashes = 8;
