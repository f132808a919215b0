import type { Output } from '@pagetree/wiki/contract';
import { commitName, json, lines, names, quoted } from './lines.ts';

/** The limits that a write can meet: the schemas of the tools state the others. */
export function statusText(status: Output<'wiki_status'>): string {
  const { wiki, wikis, branch, head, pages, backend, read_only, scope, limits, clone, problems } = status;
  const others = wikis.filter((name) => name !== wiki);
  return lines(
    `wiki ${quoted(wiki)}, ${pages} pages, branch ${quoted(branch)}, head ${commitName(head)}, ${backend}`,
    others.length > 0 && `other wikis: ${names(others)}`,
    read_only && 'read only',
    scope !== null && `scope: ${json(scope)}`,
    `limits: page ${limits.page_bytes} bytes, attachment ${limits.attachment_bytes} bytes`,
    clone !== null && `clone: ${quoted(clone)}`,
    problems.length > 0 && ['problems:', ...problems.map((problem) => `- ${problem}`)],
  );
}
