import { inBatches } from '../../scheduling/in-batches.ts';
import { hasOtherForms, pagePathOf } from '../paths/page-path.ts';
import { shownFiles } from '../paths/spellings.ts';
import type { Snapshot, TreeEntry } from '../ports.ts';
import { aliasesOf, findFrontmatter, readFrontmatter } from '../text/frontmatter/frontmatter.ts';
import { nameKey } from '../text/links/link-names.ts';
import type { LinkNames } from '../text/links/link-resolver.ts';
import { decodeText } from '../text/text-encoding.ts';
import { placeOfJoined } from './anchor-movers.ts';

/** The effect of a change on the names against which links resolve. */
export interface ChangedNames {
  /** The keys of the names that came or went (see nameKey). */
  keys: Set<string>;
  removed: Set<string>;
  added: string[];
  /** Pages whose aliases may have changed, and their current aliases. */
  renamed: Set<string>;
  aliases: (readonly [alias: string, treePath: string])[];
}

export async function changedNames(tree: {
  before: Snapshot;
  after: Snapshot;
  paths: readonly string[];
  moved: ReadonlyMap<string, string>;
  joined: ReadonlyMap<string, unknown>;
  /** Pages whose anchors may now name something else. */
  edited: { has(path: string): boolean };
}): Promise<ChangedNames> {
  const names: ChangedNames = {
    keys: new Set(),
    removed: new Set(),
    added: [],
    renamed: new Set(),
    aliases: [],
  };
  const joined = [...tree.joined.keys()].map((from) => placeOfJoined(tree, from));
  const grown = new Set([...tree.moved.values(), ...joined]);
  // Links to moved pages are examined even if another page takes their place, their names and their very content.
  // So are links to a page that took in another one, or its place: anchors may now name something else.
  const isExamined = (path: string) => tree.moved.has(path) || grown.has(path) || tree.edited.has(path);
  const files = await inBatches(tree.paths, async (path) => {
    const [old, present] = [await tree.before.entry(path), await tree.after.entry(path)];
    if (old?.oid === present?.oid && !isExamined(path)) return { path, old, present, had: [], has: [] };
    return {
      path,
      old,
      present,
      had: await aliasesIn(tree.before, old),
      has: await aliasesIn(tree.after, present),
    };
  });
  for (const { path, old, present, had, has } of files) {
    if (isExamined(path)) for (const name of [path, ...had]) names.keys.add(nameKey(name));
    if (old?.oid === present?.oid) continue;
    names.renamed.add(path);
    names.aliases.push(...has.map((alias) => [alias, path] as const));
    for (const alias of new Set(had).symmetricDifference(new Set(has))) names.keys.add(nameKey(alias));
    if (old !== null && present !== null) continue;
    names.keys.add(nameKey(path));
    if (present === null) names.removed.add(path);
    else names.added.push(path);
  }
  await addHidden(names, tree);
  return names;
}

/** Adds pages that a change hides or shows: of two files with one page path, in two Unicode forms, links mean one. */
async function addHidden(names: ChangedNames, tree: { before: Snapshot; after: Snapshot }): Promise<void> {
  const changed = [...names.removed, ...names.added].flatMap((path) => pagePathOf(path) ?? []);
  const pages = new Set(changed.filter(hasOtherForms));
  const [old, present] = [await shownFiles(tree.before, pages), await shownFiles(tree.after, pages)];
  names.added = names.added.filter((path) => (present.get(pagePathOf(path) ?? '') ?? path) === path);
  for (const page of pages) {
    const [hidden, shown] = [old.get(page), present.get(page)];
    if (hidden === undefined || shown === undefined || hidden === shown) continue;
    const had = await aliasesIn(tree.before, await tree.before.entry(hidden));
    const has = await aliasesIn(tree.after, await tree.after.entry(shown));
    for (const alias of [...had, ...has]) names.keys.add(nameKey(alias));
    names.renamed.add(hidden).add(shown);
    names.removed.add(hidden);
    names.added.push(shown);
    names.aliases.push(...has.map((alias) => [alias, shown] as const));
  }
}

/** The names after the change, derived from those before it. */
export function namesAfter(before: LinkNames, { removed, added, renamed, aliases }: ChangedNames): LinkNames {
  return {
    treePaths: [...new Set([...before.treePaths.filter((path) => !removed.has(path)), ...added])],
    aliases: [...before.aliases.filter(([, path]) => !renamed.has(path)), ...aliases],
  };
}

async function aliasesIn(snapshot: Snapshot, entry: TreeEntry | null): Promise<string[]> {
  if (entry === null || pagePathOf(entry.path) === null) return [];
  const { text } = decodeText(await snapshot.blob(entry.oid));
  return aliasesOf(readFrontmatter(text, findFrontmatter(text)).data);
}
