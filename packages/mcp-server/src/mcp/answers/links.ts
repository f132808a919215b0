import type { Output } from '@pagetree/wiki/contract';
import { byFolder, pathNames, runsOf } from './folders.ts';
import { commitName, lines, listHead, quoted } from './lines.ts';

type Finding = Output<'check_wiki'>['findings'][number];

export function linksText(links: Output<'get_links'>): string {
  const { path, exists, links_to, attachments, linked_from, broken, truncated } = links;
  return lines(
    `${quoted(path)}${exists ? '' : ' does not exist'}`,
    truncated && 'The lists are cut.',
    section('links to', links_to),
    section('attachments', attachments),
    section('linked from', linked_from),
    broken.length > 0 && 'broken links, by line:',
    broken.map(({ target, line }) => `- ${line} ${quoted(target)}`),
  );
}

function section(title: string, paths: readonly string[]): string | null {
  return paths.length === 0 ? null : `${title}: ${pathNames(paths)}`;
}

/** By kind, as the answer has them: its name stands once above its findings. */
export function findingsText({ commit, findings, counts, ...end }: Output<'check_wiki'>): string {
  const kinds = Map.groupBy(findings, ({ kind }) => kind);
  const others = Object.entries(counts).filter(
    ([kind, count]) => count > 0 && !kinds.has(kind as Finding['kind']),
  );
  return lines(
    `${listHead('findings', findings.length, end)}; commit ${commitName(commit)}`,
    [...kinds].map(([kind, rows]) =>
      lines(`${kind} (${counts[kind] ?? rows.length}):`, findingRows(kind, rows)),
    ),
    others.length > 0 && `not shown: ${others.map(([kind, count]) => `${kind} ${count}`).join(', ')}`,
  );
}

/** Without the details that the kind says already, and with the path of several findings in a page written once. */
function findingRows(kind: Finding['kind'], rows: readonly Finding[]): string | string[] {
  if (kind === 'orphan') return pathNames(rows.map(({ path }) => path));
  const pages = runsOf(rows, ({ path }) => path).map(([path, findings]) => ({ path, findings }));
  return byFolder(pages, ({ path, findings }) => findings.map((finding) => place(finding, path)).join(';'));
}

function place({ kind, line, detail, suggestions = [] }: Finding, path: string): string {
  // Both are said before: the page that lacks a heading, and that the pages are stale.
  const own = detail.startsWith(`${path} has no `) ? detail.slice(path.length + ' has '.length) : detail;
  const text = kind === 'stale' ? own.replace(/^Last changed on (.*)\.$/, '$1') : own;
  const others = suggestions.filter((page) => page !== path);
  const better = others.length === 0 ? '' : ` perhaps ${pathNames(others)}`;
  return `${line === null ? '' : ` ${line}`}: ${quoted(text)}${better}`;
}
