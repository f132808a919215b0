import type { Oid } from '../contract/ids.ts';
import type { Draft } from './draft.ts';
import type { Index } from './index-port.ts';
import { pagePathOf } from './page-path.ts';
import type { Snapshot, TreeEntry } from './ports.ts';
import type { LinkNames } from './text/link-resolver.ts';
import { factsOf } from './text/page-facts.ts';
import { decodeText } from './text/text-encoding.ts';

/** What a change that rewrites links asks about the links of one tree. */
export interface LinkSource {
  /** Whether there is no page whose links it does not tell of. */
  readonly seesEveryPage: boolean;
  /** What links resolve against. */
  names(): Promise<LinkNames>;
  /** Page paths: all that link to this page, and perhaps others. */
  mayLinkTo(path: string): Promise<string[]>;
}

export function committedLinks(index: Index, { commit }: Snapshot): LinkSource {
  return {
    seesEveryPage: index.seesEveryPage,
    names: async () => (commit === null ? { treePaths: [], aliases: [] } : index.names(commit)),
    mayLinkTo: async (path) =>
      commit === null ? [] : (await index.links(commit, path)).linkedFrom.map((link) => link.path),
  };
}

/**
 * The links of a draft as it stands at each call. The index knows nothing of a draft, so what the draft wrote is
 * looked at as a whole.
 */
export function draftLinks(index: Index, draft: Draft): LinkSource {
  const committed = committedLinks(index, draft.base);
  let committedNames: Promise<LinkNames> | null = null;
  const aliasesByOid = new Map<Oid, Promise<string[]>>();

  function aliasesOf({ path, oid }: TreeEntry): Promise<string[]> {
    const known = aliasesByOid.get(oid) ?? readAliases(draft, path, oid);
    aliasesByOid.set(oid, known);
    return known;
  }

  return {
    seesEveryPage: index.seesEveryPage,
    async names() {
      committedNames ??= committed.names();
      const { treePaths, aliases } = await committedNames;
      const paths = draft.writes().map((file) => file.path);
      const written = new Set(paths);
      const added = (await Promise.all(paths.map((path) => draft.entry(path)))).filter(
        (entry) => entry !== null,
      );
      const newAliases = await Promise.all(
        added.map(async (entry) => (await aliasesOf(entry)).map((alias) => [alias, entry.path] as const)),
      );
      return {
        treePaths: [...treePaths.filter((path) => !written.has(path)), ...added.map((entry) => entry.path)],
        aliases: [...aliases.filter(([, path]) => !written.has(path)), ...newAliases.flat()],
      };
    },
    async mayLinkTo(path) {
      const written = draft.writes().flatMap((file) => pagePathOf(file.path) ?? []);
      return [...new Set([...(await committed.mayLinkTo(path)), ...written])];
    },
  };
}

async function readAliases(draft: Draft, path: string, oid: Oid): Promise<string[]> {
  const page = pagePathOf(path);
  return page === null ? [] : factsOf(page, decodeText(await draft.blob(oid)).text).aliases;
}
