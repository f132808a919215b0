import type { Output } from '../contract/operations.ts';
import { throwIfCancelled } from './cancelled.ts';
import type { Index, PageRow } from './index-port.ts';
import { pagePathOf } from './page-path.ts';
import type { Snapshot } from './ports.ts';
import { createLinkResolver } from './text/link-resolver.ts';
import { scanBlocks } from './text/markdown-blocks.ts';
import { decodeText } from './text/text-encoding.ts';

export type Finding = Output<'check_wiki'>['findings'][number];

export interface Search {
  kinds: readonly Finding['kind'][];
  staleBefore: Date;
  signal?: AbortSignal | undefined;
}

/** Everything in one commit that needs care, in the order of kinds, then of pages. */
export async function findCare(snapshot: Snapshot, index: Index, search: Search): Promise<Finding[]> {
  const commit = snapshot.commit;
  if (commit === null) return [];
  const all = { commit, prefix: '', sort: 'path', offset: 0, limit: Number.MAX_SAFE_INTEGER } as const;
  const { rows: pages } = await index.list(all);
  const wants = (kind: Finding['kind']) => search.kinds.includes(kind);
  const links = wants('broken_link') || wants('orphan') ? await followLinks(index, commit) : null;
  return [
    ...(links && wants('broken_link') ? links.broken : []),
    ...(links && wants('orphan') ? orphans(pages, links.linked) : []),
    ...(wants('duplicate_title') ? sameTitles(pages) : []),
    ...(wants('empty') ? await withoutText(snapshot, pages, search.signal) : []),
    ...(wants('stale') ? stale(pages, search.staleBefore) : []),
  ];
}

interface FollowedLinks {
  broken: Finding[];
  /** Page paths to which another page leads. */
  linked: Set<string>;
}

async function followLinks(index: Index, commit: string): Promise<FollowedLinks> {
  const { treePaths, aliases } = await index.names(commit);
  const resolver = createLinkResolver(treePaths, aliases);
  const broken: Finding[] = [];
  const linked = new Set<string>();
  for (const { from, line, link } of await index.everyLink(commit)) {
    const led = resolver.resolve(link, from);
    if (led === null) {
      broken.push({ kind: 'broken_link', path: pagePathOf(from) ?? from, line, detail: link.target });
    } else if (led.path !== from) linked.add(pagePathOf(led.path) ?? led.path);
  }
  return { broken, linked };
}

function orphans(pages: readonly PageRow[], linked: ReadonlySet<string>): Finding[] {
  return pages
    .filter(({ path }) => !linked.has(path) && !entrance.test(path))
    .map(({ path }) => ({ kind: 'orphan', path, line: null, detail: 'No other page links here.' }));
}

/** Pages at which people begin: nobody needs to link to these. */
const entrance = /^(home|index|readme)$/i;

function sameTitles(pages: readonly PageRow[]): Finding[] {
  const byTitle = Map.groupBy(pages, ({ title }) => title.normalize('NFC').toLowerCase());
  return pages.flatMap(({ path, title }) => {
    const others = (byTitle.get(title.normalize('NFC').toLowerCase()) ?? []).filter(
      (page) => page.path !== path,
    );
    if (others.length === 0) return [];
    const named = others.slice(0, titlesNamed).map((page) => page.path);
    const more = others.length > named.length ? ` and ${others.length - named.length} more` : '';
    const detail = `${JSON.stringify(title)} is also the title of ${named.join(', ')}${more}`;
    return [{ kind: 'duplicate_title' as const, path, line: null, detail }];
  });
}

const titlesNamed = 3;

/** Pages of headings and frontmatter alone. */
async function withoutText(
  snapshot: Snapshot,
  pages: readonly PageRow[],
  signal: AbortSignal | undefined,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { path, version, size } of pages) {
    if (size > mostBytesOfEmptyPage) continue;
    throwIfCancelled(signal);
    if (size === 0 || !saysAnything(decodeText(await snapshot.blob(version)).text)) {
      findings.push({ kind: 'empty', path, line: null, detail: 'It has no text.' });
    }
  }
  return findings;
}

/** Larger pages are not read: who writes that much says something. */
const mostBytesOfEmptyPage = 500;

function saysAnything(text: string): boolean {
  const { frontmatter, headings } = scanBlocks(text);
  let from = frontmatter?.end ?? 0;
  for (const heading of headings) {
    if (text.slice(from, heading.start).trim() !== '') return true;
    from = heading.bodyStart;
  }
  return text.slice(from).trim() !== '';
}

function stale(pages: readonly PageRow[], before: Date): Finding[] {
  return pages
    .filter(({ updated }) => updated < before)
    .map(({ path, updated }) => {
      const detail = `Last changed on ${updated.toISOString().slice(0, 10)}.`;
      return { kind: 'stale', path, line: null, detail };
    });
}
