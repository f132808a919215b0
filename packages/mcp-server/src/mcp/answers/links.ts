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

function section(title: string, paths: readonly string[]): string[] {
  return paths.length === 0 ? [] : [`${title}:`, ...paths.map((path) => `- ${quoted(path)}`)];
}

export function findingsText({ commit, findings, counts, ...end }: Output<'check_wiki'>): string {
  const kinds = Object.entries(counts).filter(([, count]) => count > 0);
  return lines(
    `${listHead('findings', findings.length, end)}; commit ${commitName(commit)}`,
    kinds.length > 0 && kinds.map(([kind, count]) => `${kind} ${count}`).join(', '),
    findings.map(findingLine),
  );
}

function findingLine({ kind, path, line, detail, suggestions = [] }: Finding): string {
  const place = line === null ? '' : ` line ${line}`;
  const better = suggestions.length === 0 ? '' : `; perhaps ${names(suggestions)}`;
  return `- ${kind} ${quoted(path)}${place}: ${quoted(detail)}${better}`;
}
