import { WikiError } from '@pagetree/wiki/contract';
import type { Context } from 'hono';
import { html } from 'hono/html';
import { pageAddress } from '../../addresses.ts';
import type { ViewTools } from '../../view-tools.ts';
import { pathAt } from '../path-at.ts';
import { crumbs } from '../tree.ts';
import { type DiffRow, diffRows } from './diff-rows.ts';
import { type End, readEnd } from './ends.ts';
import { showChange } from './one-change.ts';
import { type ShownRows, showRows } from './show-rows.ts';

/** The changes of a page from one commit to another or, without `from`, by one commit. */
export async function answerDiff(
  context: Context,
  tools: ViewTools,
  wiki: string,
  asked: string,
): Promise<Response> {
  const { from, to } = context.req.query();
  if (to === undefined) throw noCommit();
  const end = readEnd(to);
  const given = { ...end, path: end.path ?? (await pathAt(tools, wiki, asked, end.commit)) };
  const change = from === undefined ? await changeBy(tools, wiki, given) : null;
  const newer = change?.after ?? given;
  const isGone = change?.entry.version === null && change.entry.moved_to === null;
  const older = from === undefined ? change?.before : readEnd(from);
  const { path, commit } = newer;
  const shown =
    older === undefined
      ? await wholePage(tools, wiki, path, commit)
      : await difference(tools, wiki, older, newer);
  const name = path.split('/').at(-1) ?? path;
  const here = (query: Record<string, string>) => pageAddress(wiki, path, query);
  const main = html`${crumbs(wiki, path)}
<h1>Change of <a href="${here(isGone ? { view: 'history' } : { at: commit })}">${name}</a></h1>
${change === null ? '' : showChange(change.entry)}
<ul class="ways"><li><a href="${here({ view: 'history' })}">History</a></li>
${isGone ? '' : html`<li><a href="${here({ at: commit })}">The page after it</a></li>`}</ul>
${older?.path === undefined || older.path === path ? '' : html`<p>Moved from <bdi>${older.path}</bdi> to <bdi>${path}</bdi>.</p>`}
${showRows(shown)}`;
  // The difference between two commits never changes, but the frame around it may.
  return tools.answer(context, { wiki, title: `Change of ${path}`, main }, shown.commit);
}

/** The change of a page by a commit, and the page before it. A commit that moved the page away leads to its new path. */
async function changeBy(tools: ViewTools, wiki: string, { path, commit }: End) {
  const { entries } = await tools.ask('get_history', { wiki, path, at: commit, limit: 2 });
  const [entry, previous] = entries;
  if (entry === undefined || !entry.commit.startsWith(commit)) return null;
  const after = { commit, path: entry.moved_to ?? entry.path ?? path };
  const before = previous && { commit: previous.commit, path: previous.path ?? undefined };
  return { entry, before, after };
}

interface Shown extends ShownRows {
  commit: string | null;
}

async function difference(
  tools: ViewTools,
  wiki: string,
  from: Pick<End, 'commit'> & { path: string | undefined },
  { commit: to, path }: End,
): Promise<Shown> {
  const from_path = from.path === path ? undefined : from.path;
  const input = { wiki, path, from: from.commit, from_path, to };
  const { diff, added, removed, truncated, ...ends } = await tools.ask('diff_page', input);
  return { rows: diffRows(diff), added, removed, truncated, commit: ends.to };
}

/** The first version of a page: all of it is new. Shows as much as diff_page shows of a change. */
async function wholePage(tools: ViewTools, wiki: string, path: string, at: string): Promise<Shown> {
  const { commit, page } = await tools.ask('view_page', { wiki, path, at });
  const text = (page?.content ?? '').replace(/\n$/, '');
  const rows = text
    .slice(0, MAX_CHARACTERS)
    .split('\n')
    .map(
      (line, index): DiffRow => ({
        old: null,
        new: { number: index + 1, pieces: [{ text: line, changed: false }] },
      }),
    );
  return { rows, added: lineCount(text), removed: 0, truncated: text.length > MAX_CHARACTERS, commit };
}

const MAX_CHARACTERS = 20_000;

function lineCount(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

function noCommit(): WikiError {
  return new WikiError('invalid_input', {
    happened: 'The address names no change.',
    now: 'Nothing was read.',
    next: 'Choose a change from the history of the page.',
  });
}
