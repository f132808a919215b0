import type { Oid } from '../../contract/ids.ts';
import { liesIn, type Scope } from '../../contract/scope.ts';
import type { Index, PageRow } from '../index-port.ts';
import { pagePathOf, treePathOf } from '../paths/page-path.ts';
import type { Repository, TreeEntry } from '../ports.ts';
import { linkReport } from '../text/links/link-report.ts';
import { createLinkResolver } from '../text/links/link-resolver.ts';
import { limitedHistory } from './limited-history.ts';
import type { ReadableBlobs } from './limited-snapshot.ts';
import type { LinksElsewhere } from './links-elsewhere.ts';

/**
 * The index for one call that is limited to parts of the wiki. Resolves links again among the files that the
 * call may see, so that a link to elsewhere looks like a broken link.
 */
export function limitIndex(
  base: Index,
  repository: Repository,
  scope: Scope,
  blobs: ReadableBlobs,
  elsewhere: LinksElsewhere,
): Index {
  const folders = scope.read;
  const names = (commit: Oid) => base.names(commit, folders);
  const everyLink = (commit: Oid) => base.everyLink(commit, folders);
  const limitLookups = ({ departure, conflictOf }: Index['atOnce']): Index['atOnce'] => ({
    async departure(commit, path) {
      const left = liesIn(folders, path) ? await departure(commit, path) : null;
      if (left?.movedTo == null) return left;
      return liesIn(folders, left.movedTo) ? left : { ...left, movedTo: null };
    },
    conflictOf: async (commit, path) => (liesIn(folders, path) ? conflictOf(commit, path) : null),
  });

  return {
    seesEveryPage: false,
    // Its progress would reveal the size of the whole wiki.
    catchUp: (commit, _progress, signal) => base.catchUp(commit, undefined, signal),
    standAt: (commit, _progress, signal) => base.standAt(commit, undefined, signal),
    save: (commit, signal) => base.save(commit, signal),
    async count(commit) {
      const first = { commit, prefix: '', sort: 'path', offset: 0, limit: 1 } as const;
      return (await base.list({ ...first, folders })).total;
    },
    paths: async (commit) => (await base.paths(commit)).filter((path) => liesIn(folders, path)),
    async list(query) {
      const found = await base.list({ ...query, folders });
      for (const row of found.rows) blobs.add(fileOf(row));
      return found;
    },
    async search(query) {
      const found = await base.search({ ...query, folders });
      for (const { path, version } of found.rows) blobs.add(fileOf({ path, version }));
      return found;
    },
    tags: (query) => base.tags({ ...query, folders }),
    history: (query) => limitedHistory(base, repository, folders, query),
    ...limitLookups(base),
    atOnce: limitLookups(base.atOnce),
    async moveAfter(commit, path, since) {
      const move = liesIn(folders, path) ? await base.moveAfter(commit, path, since) : null;
      return move !== null && liesIn(folders, move.movedTo) ? move : null;
    },
    conflicts: (commit) => base.conflicts(commit, folders),
    everyLink,
    sketches: (commit, _folders, signal) => base.sketches(commit, folders, signal),
    unread: (commit) => base.unread(commit, folders),
    linksNamed: (commit, named) => {
      elsewhere.lookedFor();
      return base.linksNamed(commit, named, folders);
    },
    namesLike: (commit, named) => base.namesLike(commit, named, folders),
    // All matches, since the limit would count pages elsewhere.
    pagesNaming: async (commit, texts, most) => {
      const pages = await base.pagesNaming(commit, texts, Number.POSITIVE_INFINITY);
      return pages.filter((path) => liesIn(folders, path)).slice(0, most);
    },
    files: async (commit) => (await base.files(commit)).filter((path) => liesIn(folders, path)),
    anchors: (commit, treePaths) =>
      base.anchors(
        commit,
        treePaths.filter((path) => liesIn(folders, path)),
      ),
    names,
    async links(commit, path) {
      const { treePaths, aliases } = await names(commit);
      const treePath = treePaths.find((each) => each === path || pagePathOf(each) === path) ?? null;
      const incoming = await everyLink(commit);
      const own = incoming.filter(({ from }) => from === treePath);
      const unread = await base.unread(commit, folders);
      const leavesOutLinks = unread.some(
        (part) => part.path === path && part.linksLeftOut + part.bytesLeftOut > 0,
      );
      return linkReport({ path, treePath, own, incoming, leavesOutLinks }, (also) =>
        createLinkResolver([...treePaths, ...also], aliases),
      );
    },
  };
}

function fileOf({ path, version }: Pick<PageRow, 'path' | 'version'>): TreeEntry {
  return { path: treePathOf(path), oid: version, mode: '100644' };
}
