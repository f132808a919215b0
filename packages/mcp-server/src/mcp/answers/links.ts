import type { Output } from '@pagetree/wiki/contract';
import { commitName, lines, listHead, names, quoted } from './lines.ts';

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
  return paths.length === 0 ? null : `${title}: ${names(paths)}`;
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
      lines(`${kind} (${counts[kind] ?? rows.length}):`, rows.map(findingLine)),
    ),
    others.length > 0 && `not shown: ${others.map(([kind, count]) => `${kind} ${count}`).join(', ')}`,
  );
}

function findingLine({ path, line, detail, suggestions = [] }: Finding): string {
  const place = line === null ? '' : ` line ${line}`;
  const better = suggestions.length === 0 ? '' : `; perhaps ${names(suggestions)}`;
  return `- ${quoted(path)}${place}: ${quoted(detail)}${better}`;
}
