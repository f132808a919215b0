import type { Oid } from '../../contract/ids.ts';
import { liesIn, type Scope } from '../../contract/scope.ts';
import type { Index } from '../index-port.ts';
import { pagePathOf } from '../page-path.ts';
import type { OpenWiki, Repository, Snapshot, WikiDirectory } from '../ports.ts';
import { limitedHistory } from './limited-history.ts';
import { limitIndex } from './limited-index.ts';
import { limitSnapshot, type ReadableBlobs } from './limited-snapshot.ts';
import { commitReachesOut, requireChangeable, wholeWikiOnly } from './refusals.ts';

/**
 * The same wikis for one call that is limited to parts of them: whatever lies elsewhere is not there. What an
 * operation answers with is limited because all that it asks is.
 */
export function limitDirectory(directory: WikiDirectory, scope: Scope): WikiDirectory {
  return {
    names: () => directory.names(),
    create: async () => {
      throw wholeWikiOnly(scope, 'Making a wiki');
    },
    importBundle: async () => {
      throw wholeWikiOnly(scope, 'Importing a history');
    },
    open: async (name) => limitWiki(await directory.open(name), scope),
  };
}

function limitWiki(wiki: OpenWiki, scope: Scope): OpenWiki {
  const { repository, index } = wiki;
  // What may all be read needs no second look.
  if (scope.read.includes('')) return { repository: limitWrites(repository, scope), index };
  const blobs = readableBlobs((query) => limitedHistory(index, repository, scope.read, query));
  return {
    repository: limitReads(limitWrites(repository, scope), scope, blobs),
    index: limitIndex(index, repository, scope, blobs),
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
          requireChangeable(
            scope,
            applied.files.map(({ path }) => path),
          );
          return applied;
        },
      }),
    maintenance: { tidy: refuse, check: refuse, repair: refuse },
  };
}

function limitReads(base: Repository, scope: Scope, blobs: ReadableBlobs): Repository {
  const limited = (snapshot: Snapshot) => limitSnapshot(snapshot, scope.read, blobs);
  return {
    ...base,
    head: async () => limited(await base.head()),
    at: async (commit) => limited(await base.at(commit)),
    async changes(from, to) {
      const changes = await base.changes(from, to);
      if (changes.some(({ path }) => !liesIn(scope.read, path))) throw commitReachesOut(scope);
      return changes;
    },
    log: () => {
      throw wholeWikiOnly(scope, 'The log');
    },
    bundle: async () => {
      throw wholeWikiOnly(scope, 'A bundle');
    },
    write: (change) => base.write({ ...change, apply: (snapshot) => change.apply(limited(snapshot)) }),
    // A clone would hold everything.
    describe: async () => ({ ...(await base.describe()), clone: null }),
  };
}

/**
 * A version that a caller passes may be read only where it is one of a page that this call has looked at: as it is
 * in some tree, or as it was.
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

/** An older version than these is told by its history alone. */
const VERSIONS_LOOKED_AT = 1_000;
