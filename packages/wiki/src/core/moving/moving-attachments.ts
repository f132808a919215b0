import { inTurns } from '../../scheduling/in-turns.ts';
import type { Index } from '../index-port.ts';
import { findNameProblems } from '../paths/new-names.ts';
import { folderOf, pagePathOf, refusalOfNewPath } from '../paths/page-path.ts';
import type { FileWrite, Snapshot, TreeEntry } from '../ports.ts';
import type { LinkAddress } from '../text/links/link-names.ts';
import { nameKey, nameKeysOf } from '../text/links/link-names.ts';
import { createLinkResolver } from '../text/links/link-resolver.ts';
import { linkSteps } from '../text/markdown/markdown-links.ts';
import { decodeText } from '../text/text-encoding.ts';
import type { NetChange } from '../writing/net-change.ts';
import type { IsNamed } from './named-files.ts';

/**
 * Moves the files in a page's folder or below that only this page uses, together with the page. Their
 * relative position stays, so the page's links to them hold. A file stays if something else may use it: it
 * would lose the file, and nobody would rewrite it. So all of them stay if there may be pages that cannot be
 * seen. Returns what moved.
 */
export async function moveAttachments(
  index: Index,
  net: NetChange,
  page: string,
  isNamed: IsNamed,
): Promise<[from: string, to: string][]> {
  const { base } = net.draft;
  const place = net.moved.get(page);
  const entry = await base.entry(page);
  if (place === undefined || entry === null || base.commit === null || !index.seesEveryPage) return [];
  const [from, to] = [folderOf(page), folderOf(place)];
  if (from === to) return [];
  const files = (await filesOf(index, base, entry)).filter(
    (file) => (from === '' || file.startsWith(`${from}/`)) && !net.moved.has(file),
  );
  const used = await usedElsewhere(index, net, page, files);
  const wanted: [from: string, to: string][] = [];
  for (const file of files) {
    const relative = from === '' ? file : file.slice(from.length + 1);
    const target = to === '' ? relative : `${to}/${relative}`;
    // A file stays in place if no new file may have its name.
    if (used.has(file) || refusalOfNewPath(target) !== null) continue;
    if ((await net.draft.entry(target)) !== null || (await isNamed(file, page))) continue;
    wanted.push([file, target]);
  }
  const movedAlong = await withoutTwins(net, wanted);
  for (const [file, target] of movedAlong) await net.move(file, target, true);
  return movedAlong;
}

/** Leaves out files whose name some readers could not distinguish from another one in the new folder. */
async function withoutTwins(
  { draft }: Pick<NetChange, 'draft'>,
  moves: [from: string, to: string][],
): Promise<[from: string, to: string][]> {
  if (moves.length === 0) return moves;
  const entries = await Promise.all(moves.map(async ([from]) => draft.entry(from)));
  const files = moves.flatMap(([from, path], at): FileWrite[] => {
    const entry = entries[at];
    return entry
      ? [
          { path: from, remove: true },
          { path, oid: entry.oid, mode: entry.mode },
        ]
      : [];
  });
  const problems = await findNameProblems(draft.base, [...draft.writes(), ...files]);
  const refused = new Set(problems.map(({ path }) => path));
  const fitting = moves.filter(([, to]) => !refused.has(to));
  // A file that stays can keep the old folder in place, beside a new one of another case.
  return fitting.length === moves.length ? moves : withoutTwins({ draft }, fitting);
}

/** Tree paths of all linked and embedded files of a page that are not pages. */
async function filesOf(index: Index, base: Snapshot, page: TreeEntry): Promise<string[]> {
  const links = await linksOn(base, page).then((all) => all.map((link) => ({ from: page.path, link })));
  return [...new Set((await targetsOf(index, base, links)).flatMap(({ target }) => target ?? []))].filter(
    (path) => pagePathOf(path) === null,
  );
}

/** The files that another page uses, or a page that the change itself writes. */
async function usedElsewhere(
  index: Index,
  { draft }: NetChange,
  page: string,
  files: readonly string[],
): Promise<Set<string>> {
  if (files.length === 0 || draft.base.commit === null) return new Set();
  const links: Linking[] = await index.linksNamed(draft.base.commit, files.map(nameKey));
  const written = draft.writes().filter((file) => 'content' in file && pagePathOf(file.path) !== null);
  for (const { path } of written) {
    const entry = await draft.entry(path);
    const made = entry === null ? [] : await linksOn(draft, entry);
    if (path !== page) links.push(...made.map((link) => ({ from: path, link })));
  }
  const targets = await targetsOf(index, draft.base, links);
  return new Set(targets.flatMap(({ from, target }) => (from === page || target === null ? [] : [target])));
}

interface Linking {
  from: string;
  link: LinkAddress;
}

async function targetsOf(index: Index, { commit }: Snapshot, links: readonly Linking[]) {
  const keys = [...new Set(links.flatMap(({ link }) => nameKeysOf(link)))];
  const names = commit === null ? { treePaths: [], aliases: [] } : await index.namesLike(commit, keys);
  const resolver = createLinkResolver(names.treePaths, names.aliases);
  return links.map(({ from, link }) => ({ from, target: resolver.resolve(link, from)?.path ?? null }));
}

async function linksOn(snapshot: Snapshot, { oid }: TreeEntry): Promise<LinkAddress[]> {
  return inTurns(linkSteps(decodeText(await snapshot.blob(oid)).text));
}
