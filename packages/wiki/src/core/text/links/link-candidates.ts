import { lastPartOf, pageNameOf } from '../../paths/page-path.ts';
import { foldCase } from '../fold-case.ts';
import { normalForm } from '../normal-form.ts';
import type { LinkAddress } from './link-names.ts';
import type { LinkNames, ResolvedLink } from './link-resolver.ts';

/**
 * All possible targets of a link that was resolved by name: the tree paths of the pages (or files) that end
 * with it or have it as an alias. Empty for a link that is a path.
 */
export function linkCandidates({
  treePaths,
  aliases,
}: LinkNames): (link: LinkAddress, led: ResolvedLink) => ReadonlySet<string> {
  const byLastPart = Map.groupBy(treePaths, (treePath) => lastPartOf(nameOf(treePath)));
  const byAlias = Map.groupBy(aliases, ([alias]) => folded(alias));
  // Thousands of links may name one of thousands of pages of the same name.
  const known = new Map<string, ReadonlySet<string>>();
  function remembered(key: string, find: () => Iterable<string>): ReadonlySet<string> {
    const found = known.get(key) ?? new Set(find());
    known.set(key, found);
    return found;
  }

  function endingIn(name: string, isPage: boolean): readonly string[] {
    return (byLastPart.get(lastPartOf(name)) ?? []).filter((treePath) => {
      const candidate = nameOf(treePath);
      return (
        (pageNameOf(treePath) !== null) === isPage && (candidate === name || candidate.endsWith(`/${name}`))
      );
    });
  }

  return ({ target }, { path, by }) => {
    if (by === 'alias') {
      const alias = folded(target);
      return remembered(`alias ${alias}`, () => (byAlias.get(alias) ?? []).map(([, treePath]) => treePath));
    }
    if (by !== 'name') return NONE;
    // As many parts of the target's path as the link names, since the link may be in another case.
    const parts = target.trim().split('/').length;
    const name = nameOf(path).split('/').slice(-parts).join('/');
    const isPage = pageNameOf(path) !== null;
    return remembered(`${isPage} ${name}`, () => endingIn(name, isPage));
  };
}

const NONE: ReadonlySet<string> = new Set();

function nameOf(treePath: string): string {
  return pageNameOf(treePath) ?? normalForm(treePath);
}

function folded(alias: string): string {
  return foldCase(normalForm(alias).trim());
}
