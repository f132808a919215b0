import type { Oid } from '../../contract/ids.ts';
import { liesIn, type Scope } from '../../contract/scope.ts';
import type { OpenWiki, WikiDirectory } from '../directory-port.ts';
import type { Index } from '../index-port.ts';
import { pagePathOf } from '../paths/page-path.ts';
import type { Repository, Snapshot } from '../ports.ts';
import { limitedHistory } from './limited-history.ts';
import { limitIndex } from './limited-index.ts';
import { limitSnapshot, type ReadableBlobs } from './limited-snapshot.ts';
import type { LinksElsewhere } from './links-elsewhere.ts';
import { commitReachesOut, requireChangeable, requireKnownCommit, wholeWikiOnly } from './refusals.ts';

/**
 * The wikis for one call that is limited to parts of them: files elsewhere do not exist. An operation's
 * answer is limited because everything it reads is.
 */
export function limitDirectory(
  directory: WikiDirectory,
  scope: Scope,
  elsewhere: LinksElsewhere,
): WikiDirectory {
  return {
    names: () => directory.names(),
    requireDefault: () => directory.requireDefault(),
    create: async () => {
      throw wholeWikiOnly(scope, 'Making a wiki');
    },
    importBundle: async () => {
      throw wholeWikiOnly(scope, 'Importing a history');
    },
    readRound: () => directory.readRound(),
    keepRound: (round) => directory.keepRound(round),
    uploads: (name) => directory.uploads(name),
    removeOldUploads: () => directory.removeOldUploads(),
    unopened: () => {
      throw wholeWikiOnly(scope, 'A remote');
    },
    open: async (name) => limitWiki(await directory.open(name), scope, elsewhere),
    visit: (name, act) => directory.visit(name, (wiki) => act(limitWiki(wiki, scope, elsewhere))),
  };
}

function limitWiki(wiki: OpenWiki, scope: Scope, elsewhere: LinksElsewhere): OpenWiki {
  const { repository, index } = wiki;
  // If everything may be read, nothing needs to be filtered.
  if (scope.read.includes('')) return { repository: limitWrites(repository, scope), index };
  const blobs = readableBlobs((query) => limitedHistory(index, repository, scope.read, query));
  return {
    repository: limitReads(limitWrites(repository, scope), scope, blobs),
    index: limitIndex(index, repository, scope, blobs, elsewhere),
  };
}

function limitWrites(base: Repository, scope: Scope): Repository {
  const refuse = async (): Promise<never> => {
    throw wholeWikiOnly(scope, 'Maintenance');
  };
  return {
    ...base,
    write: (change) =>
      base.write({
        ...change,
        apply: async (snapshot) => {
          const applied = await change.apply(snapshot);
          requireChangeable(scope, [...applied.files.map(({ path }) => path), applied.keeps ?? []].flat());
          return applied;
        },
      }),
    receivePush: async (push) => {
      if (scope.read.includes('') && scope.write.includes('')) return base.receivePush(push);
      throw wholeWikiOnly(scope, 'A push');
    },
    remote: limitedRemote(scope),
    mergeCommits: async (merge) => {
      if (scope.read.includes('') && scope.write.includes('')) return base.mergeCommits(merge);
      throw wholeWikiOnly(scope, 'A merge');
    },
    maintenance: { tidy: refuse, check: refuse, repair: refuse },
  };
}

/** A remote has the whole wiki, so a part of it has none. */
function limitedRemote(scope: Scope): Repository['remote'] {
  const refuse = async (): Promise<never> => {
    throw wholeWikiOnly(scope, 'A remote');
  };
  return { settings: refuse, set: refuse, report: refuse, keepReport: refuse };
}

function limitReads(base: Repository, scope: Scope, blobs: ReadableBlobs): Repository {
  const limited = (snapshot: Snapshot) => limitSnapshot(snapshot, scope.read, blobs);
  const everyChange: Repository['everyChange'] = async (from, to) => {
    const found = await base.everyChange(from, to);
    if (reachesOut(found, scope)) throw commitReachesOut(scope);
    return found;
  };
  return {
    ...base,
    head: async () => limited(await base.head()),
    at: async (commit) => limited(await base.at(commit)),
    resolveCommit: async (prefix) => {
      requireKnownCommit(prefix);
      return base.resolveCommit(prefix);
    },
    changes: async (from, to) => (await everyChange(from, to)).files,
    everyChange,
    visibleChanges: async (from, to) => {
      const found = await base.everyChange(from, to);
      const files = found.files.filter(({ path }) => liesIn(scope.read, path));
      return { files, leavesOut: reachesOut(found, scope) };
    },
    log: () => {
      throw wholeWikiOnly(scope, 'The log');
    },
    bundle: async () => {
      throw wholeWikiOnly(scope, 'A bundle');
    },
    sending: {
      refs: async () => {
        throw wholeWikiOnly(scope, 'A clone');
      },
      plan: async () => {
        throw wholeWikiOnly(scope, 'A clone');
      },
    },
    write: (change) =>
      base.write({
        ...change,
        apply: (snapshot) => change.apply(limitSnapshot(snapshot, scope.read, blobs, { showsWays: true })),
      }),
    // A clone would contain everything.
    describe: async () => ({ ...(await base.describe()), clone: null }),
  };
}

function reachesOut(
  { files, others }: Awaited<ReturnType<Repository['everyChange']>>,
  scope: Scope,
): boolean {
  return [...files.map(({ path }) => path), ...others].some((path) => !liesIn(scope.read, path));
}

/**
 * A version that a caller passes may be read only if it belongs to a page that this call has examined: in
 * some tree, or in the page's history.
 */
function readableBlobs(history: Index['history']): ReadableBlobs {
  const known = new Set<Oid>();
  const pages = new Set<string>();
  return {
    add({ path, oid }) {
      known.add(oid);
      const page = pagePathOf(path);
      if (page !== null) pages.add(page);
    },
    async includes(oid, commit) {
      if (known.has(oid)) return true;
      if (commit === null) return false;
      for (const path of pages) {
        const past = { commit, path, offset: 0, limit: VERSIONS_LOOKED_AT, pagesMost: 0 };
        const { entries } = await history(past);
        if (entries.some(({ version }) => version === oid)) return true;
      }
      return false;
    },
  };
}

/** An older version than these counts only if the history names it. */
const VERSIONS_LOOKED_AT = 1_000;
