import { setImmediate } from 'node:timers/promises';
import { throwIfCancelled } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { yielding } from '../../scheduling/yielding.ts';
import type { Index, PageRow, UnreadPart } from '../index-port.ts';
import { describeConflict } from '../merging/describe-conflict.ts';
import { type OpenConflict, openConflicts } from '../merging/open-conflicts.ts';
import { successorsOf } from '../pages/successors.ts';
import type { Snapshot } from '../ports.ts';
import type { Session } from '../session.ts';
import { foldCase } from '../text/fold-case.ts';
import { scanBlocks } from '../text/markdown/markdown-blocks.ts';
import { MAX_LINKS } from '../text/markdown/markdown-links.ts';
import { MAX_TAGS } from '../text/markdown/page-facts.ts';
import { decodeText } from '../text/text-encoding.ts';
import type { Finding, Found, Search } from './finding.ts';
import { followLinks } from './link-findings.ts';
import { unportableNames } from './name-findings.ts';
import { nearCopies } from './near-copies.ts';

/** Everything in one commit that needs attention, sorted by kind, then by page. */
export async function findCare(
  { repository, index }: Pick<Session, 'repository' | 'index'>,
  snapshot: Snapshot,
  search: Search,
): Promise<Found[]> {
  const commit = snapshot.commit;
  if (commit === null) return [];
  const pages = await everyPage(index, commit);
  const wants = (kind: Finding['kind']) => search.kinds.includes(kind);
  const needsSuccessors = wants('superseded_link') || wants('near_copy');
  const successors = needsSuccessors ? await successorsOf(index, commit, pages) : new Map<string, string>();
  const links = linkKinds.some(wants) ? await followLinks(index, commit, search, successors) : null;
  const conflicts = wants('conflict') ? await openConflicts({ repository, index }, snapshot) : [];
  const others = [
    ...(links && wants('orphan') ? orphans(pages, links.linked) : []),
    ...(wants('duplicate_title') ? sameTitles(pages) : []),
    ...(wants('near_copy') ? await copies(snapshot, index, pages, successors, search.signal) : []),
    ...(wants('empty') ? await withoutText(snapshot, pages, search.signal) : []),
    ...(wants('unread_part') ? unread(await index.unread(commit)) : []),
    ...(wants('unportable_name') ? await unportableNames(await pathsOf(snapshot, search.signal)) : []),
    ...(wants('quarantined_file') ? await quarantined(snapshot, search.signal) : []),
    ...(wants('stale') ? stale(pages, search.staleBefore) : []),
  ];
  return [
    ...conflicts.map((conflict) => ({ finding: conflictFinding(conflict) })),
    ...(links?.found ?? []),
    ...others.map((finding) => ({ finding })),
  ];
}

function conflictFinding(conflict: OpenConflict): Finding {
  const { path, merge, ours, theirs } = conflict;
  return {
    kind: 'conflict',
    path,
    line: null,
    detail: describeConflict(conflict),
    conflict: { merge, ours, theirs: theirs.version, theirs_commit: theirs.commit },
  };
}

async function everyPage(index: Index, commit: string): Promise<PageRow[]> {
  const pages: PageRow[] = [];
  for (;;) {
    const portion = { commit, prefix: '', sort: 'path', offset: pages.length, limit: PAGES_AT_ONCE } as const;
    const { rows, total } = await index.list(portion);
    for (const row of rows) pages.push(row);
    if (rows.length === 0 || pages.length >= total) return pages;
    await setImmediate();
  }
}

/** Takes some 20 ms. */
const PAGES_AT_ONCE = 1_000;

const linkKinds = ['broken_link', 'broken_anchor', 'ambiguous_link', 'superseded_link', 'orphan'] as const;

/** The paths as git has them: the index treats two Unicode spellings of a name as one page. */
async function pathsOf(snapshot: Snapshot, signal: AbortSignal | undefined): Promise<string[]> {
  const paths: string[] = [];
  const yieldIfDue = yielding();
  for await (const { path } of snapshot.files()) {
    throwIfCancelled(signal);
    paths.push(path);
    await yieldIfDue();
  }
  return paths;
}

/** Quarantined paths, which git brought in. The contents of a quarantined folder are not named. */
async function quarantined(snapshot: Snapshot, signal: AbortSignal | undefined): Promise<Finding[]> {
  const findings: Finding[] = [];
  const detail =
    'Git or some system would take it for something else. It is not shown or exported; remove it with git.';
  for await (const path of snapshot.quarantined()) {
    throwIfCancelled(signal);
    findings.push({ kind: 'quarantined_file', path, line: null, detail });
  }
  return findings;
}

function orphans(pages: readonly PageRow[], linked: ReadonlySet<string>): Finding[] {
  return pages
    .filter(({ path }) => !linked.has(path) && !entrance.test(path))
    .map(({ path }) => ({ kind: 'orphan', path, line: null, detail: 'No other page links here.' }));
}

/** Pages at which people begin: they need no links to them. */
const entrance = /^(home|index|readme)$/i;

function sameTitles(pages: readonly PageRow[]): Finding[] {
  const byTitle = Map.groupBy(pages, ({ title }) => foldCase(title.normalize('NFC')));
  return pages.flatMap(({ path, title }) => {
    const same = byTitle.get(foldCase(title.normalize('NFC'))) ?? [];
    if (same.length < 2) return [];
    // Thousands of pages may have one title: not all of them are gone through for each.
    const named = same
      .slice(0, titlesNamed + 1)
      .map((page) => page.path)
      .filter((other) => other !== path)
      .slice(0, titlesNamed);
    const more = same.length - 1 > named.length ? ` and ${same.length - 1 - named.length} more` : '';
    const detail = `${JSON.stringify(title)} is also the title of ${named.join(', ')}${more}`;
    return [{ kind: 'duplicate_title' as const, path, line: null, detail }];
  });
}

const titlesNamed = 3;

/** A superseded page is like its successor because it was left so. */
async function copies(
  snapshot: Snapshot,
  index: Index,
  pages: readonly PageRow[],
  successors: ReadonlyMap<string, string>,
  signal: AbortSignal | undefined,
): Promise<Finding[]> {
  if (snapshot.commit === null) return [];
  const rows = new Map(pages.map((row) => [row.path, row]));
  const sketched = await index.sketches(snapshot.commit, undefined, signal);
  const compared = sketched.flatMap((page) => {
    const row = successors.has(page.path) ? undefined : rows.get(page.path);
    return row === undefined ? [] : [{ ...page, version: row.version, size: row.size }];
  });
  return nearCopies(snapshot, compared, signal);
}

/** Pages with only headings and frontmatter. */
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

/** Larger pages are not read: they surely contain text. */
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

function unread(parts: readonly UnreadPart[]): Finding[] {
  return parts.flatMap(({ path, frontmatterProblem, linksLeftOut, tagsLeftOut, bytesLeftOut }) => {
    const details: string[] = [];
    if (frontmatterProblem !== null) details.push(`The frontmatter cannot be read (${frontmatterProblem}).`);
    if (linksLeftOut > 0) {
      details.push(
        `It has ${MAX_LINKS + linksLeftOut} links; after the first ${MAX_LINKS} they are taken as text.`,
      );
    }
    if (tagsLeftOut > 0) {
      details.push(
        `It has ${MAX_TAGS + tagsLeftOut} tags; after the first ${MAX_TAGS} they are taken as text.`,
      );
    }
    if (bytesLeftOut > 0) {
      const bytes = limits.pageBytes + bytesLeftOut;
      details.push(`It has ${bytes} bytes; what is after the first ${limits.pageBytes} is not looked at.`);
    }
    return details.map((detail) => ({ kind: 'unread_part' as const, path, line: null, detail }));
  });
}

function stale(pages: readonly PageRow[], before: Date): Finding[] {
  return pages
    .filter(({ updated }) => updated < before)
    .map(({ path, updated }) => {
      const detail = `Last changed on ${updated.toISOString().slice(0, 10)}.`;
      return { kind: 'stale', path, line: null, detail };
    });
}
