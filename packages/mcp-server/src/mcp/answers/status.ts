import type { Output, ShownSync } from '@pagetree/wiki/contract';
import { commitName, json, lines, names, quoted } from './lines.ts';

/** The limits that a write can meet: the schemas of the tools state the others. */
export function statusText(status: Output<'wiki_status'>): string {
  const { wiki, wikis, branch, head, pages, backend, read_only, scope, limits, clone, problems, sync } =
    status;
  const others = wikis.filter((name) => name !== wiki);
  return lines(
    `wiki ${quoted(wiki)}, ${pages} pages, branch ${quoted(branch)}, head ${commitName(head)}, ${backend}`,
    others.length > 0 && `other wikis: ${names(others)}`,
    read_only && 'read only',
    scope !== null && `scope: ${json(scope)}`,
    `limits: page ${limits.page_bytes} bytes, attachment ${limits.attachment_bytes} bytes`,
    clone !== null && `clone: ${quoted(clone)}`,
    sync !== null && syncLine(sync),
    problems.length > 0 && ['problems:', ...problems.map((problem) => `- ${problem}`)],
  );
}

export function syncText({ progress, sync }: Output<'sync_wiki'>): string {
  const { words, next_at } = sync;
  const said = {
    done: words,
    under_way: 'A sync is asked for and under way. Go on meanwhile; wiki_status says how it went.',
    postponed: `${words} The next attempt is at ${next_at}: asking again does not bring it earlier.`,
  };
  return lines(said[progress], syncLine(sync));
}

/** Times in full: a caller compares them to know whether a sync was made meanwhile. */
function syncLine({ remote, state, at, in_step_at, next_at }: ShownSync): string {
  const times = [
    at !== null && `last sync ${at}`,
    in_step_at !== at && `in step last ${in_step_at ?? 'never'}`,
    next_at !== null && `next ${next_at}`,
  ].filter((part) => part !== false);
  return `remote ${quoted(remote)}: ${[state, ...times].join(', ')}`;
}
