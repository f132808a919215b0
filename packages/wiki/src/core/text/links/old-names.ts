import { pageNameOf } from '../../paths/page-path.ts';
import { normalForm } from '../normal-form.ts';
import type { LinkAddress } from './link-names.ts';
import type { ResolvedLink } from './link-resolver.ts';

/**
 * True if a link still leads to a renamed page, but by its old name: in another case, or as an alias that the
 * page has. A link that used an alias before stays: that alias was not renamed.
 */
export function showsOldName({ target }: LinkAddress, led: ResolvedLink, leads: ResolvedLink): boolean {
  if (led.by === 'alias') return false;
  const named = normalForm(target.trim())
    .split('/')
    .filter((part) => !/^\.{0,2}$/.test(part));
  const [was, is] = [led, leads].map(({ path }) => lastParts(path, named.length));
  return was !== is && withoutExtension(named.join('/')) !== is;
}

function lastParts(treePath: string, count: number): string {
  const name = pageNameOf(treePath) ?? normalForm(treePath);
  return name.split('/').slice(-count).join('/');
}

/** The name without the extension, which only pages leave out. */
function withoutExtension(name: string): string {
  return name.replace(/\.md$/i, '');
}
