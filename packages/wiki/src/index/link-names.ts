import { lastPartOf } from '../core/page-path.ts';
import type { LinkAddress } from '../core/text/link-resolver.ts';

/**
 * What pages, files and aliases have in common with the links that can lead to them: the last part of the name, in
 * lower case and without `.md`.
 */
export function nameKey(name: string): string {
  return lastPartOf(name).normalize('NFC').toLowerCase().replace(/\.md$/, '');
}

/** The keys of what a link can lead to. It is one, unless a `#` in the link may belong to the name. */
export function nameKeysOf({ kind, target, anchor }: LinkAddress): string[] {
  const names = kind === 'wiki' ? withHashes(target, anchor) : [target];
  return [...new Set(names.map((name) => nameKey(name.trim().replace(/(\/\.)*\/?$/, ''))))];
}

function withHashes(target: string, anchor: string | null): string[] {
  const names = [target];
  for (const part of anchor?.split('#', mostHashes) ?? []) names.push(`${names.at(-1)}#${part}`);
  return names;
}

const mostHashes = 8;
