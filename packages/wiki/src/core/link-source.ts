import type { Draft } from './draft.ts';
import { pagePathOf } from './page-path.ts';
import type { FileWrite, Index, Snapshot } from './ports.ts';
import type { LinkNames } from './text/link-resolver.ts';
import { factsOf } from './text/page-facts.ts';
import { decodeText } from './text/text-encoding.ts';

/** What a change that rewrites links asks about the links of one tree. */
export interface LinkSource {
  /** What links resolve against. */
  names(): Promise<LinkNames>;
  /** Page paths: all that link to this page, and perhaps others. */
  mayLinkTo(path: string): Promise<string[]>;
}

export function committedLinks(index: Index, { commit }: Snapshot): LinkSource {
  return {
    names: async () => (commit === null ? { treePaths: [], aliases: [] } : index.names(commit)),
    mayLinkTo: async (path) =>
      commit === null ? [] : (await index.links(commit, path)).linkedFrom.map((link) => link.path),
  };
}

/** The index knows nothing of a draft, so what the draft wrote is looked at as a whole. */
export function draftLinks(index: Index, draft: Draft): LinkSource {
  const committed = committedLinks(index, draft.base);
  return {
    async names() {
      const { treePaths, aliases } = await committed.names();
      const writes = draft.writes();
      const written = new Set(writes.map((file) => file.path));
      const added = writes.filter((file) => !('remove' in file));
      const newAliases = await Promise.all(added.map((file) => aliasesOf(draft, file)));
      return {
        treePaths: [...treePaths.filter((path) => !written.has(path)), ...added.map((file) => file.path)],
        aliases: [...aliases.filter(([, path]) => !written.has(path)), ...newAliases.flat()],
      };
    },
    async mayLinkTo(path) {
      const written = draft.writes().flatMap((file) => pagePathOf(file.path) ?? []);
      return [...new Set([...(await committed.mayLinkTo(path)), ...written])];
    },
  };
}

async function aliasesOf(draft: Draft, { path }: FileWrite): Promise<[alias: string, treePath: string][]> {
  const page = pagePathOf(path);
  const entry = page === null ? null : await draft.entry(path);
  if (page === null || entry === null) return [];
  const { aliases } = factsOf(page, decodeText(await draft.blob(entry.oid)).text);
  return aliases.map((alias) => [alias, path]);
}
