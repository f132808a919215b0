import type { Output } from '@pagetree/wiki/contract';
import { html } from 'hono/html';
import { pageAddress } from '../../addresses.ts';
import type { Html } from '../../layout.ts';
import { showTime } from '../../times.ts';
import type { ViewTools } from '../../view-tools.ts';
import { showAuthor } from '../authorship.ts';
import { diffRows } from '../history/diff-rows.ts';
import { showRows } from '../history/show-rows.ts';
import type { Draft } from './edit-form.ts';
import type { Fault } from './faults.ts';
import { type Page, pageNow } from './page-now.ts';

/** What a person needs to go on after the page changed while they wrote. */
export interface Conflict {
  /** Where the page is now. */
  path: string;
  /** The text to go on with: both changes, if they could be merged. */
  draft: Draft;
  theirs: Page | null;
  fault: Fault;
  details: Html;
}

export async function conflictOf(
  tools: ViewTools,
  wiki: string,
  path: string,
  mine: Draft,
): Promise<Conflict> {
  const place = await placeNow(tools, wiki, path);
  const found = await pageNow(tools, wiki, place);
  if (found === null) return deleted(tools, wiki, path, mine);
  const { page, commit } = found;
  const asked = { wiki, path: place, content: mine.content, base: mine.version || undefined };
  const { merged, version } = await tools.ask('preview_page', asked);
  // It changed again in between: then the next conflict has the merge.
  const isMerged = merged !== null && version === page.version;
  const draft: Draft = {
    ...mine,
    content: isMerged ? merged.content : mine.content,
    version: page.version,
    at: commit,
    marked: isMerged && merged.conflicts > 0,
  };
  const difference =
    mine.version === ''
      ? null
      : await tools.ask('diff_page', {
          wiki,
          path: place,
          from: mine.at,
          from_path: path === place ? undefined : path,
          to: commit,
        });
  return {
    path: page.path,
    draft,
    theirs: page,
    fault: { sentence: sentenceFor(mine, merged, { moved: place !== path }), status: 409 },
    details: html`${page.last_change === null ? '' : html`<p>${showAuthor(page.last_change)} changed it ${showTime(page.last_change.date)}. <a href="${pageAddress(wiki, page.path)}">See the page as it is now</a></p>`}
${difference === null ? '' : html`<h2>What changed there since you began</h2>${showRows({ ...difference, rows: diffRows(difference.diff) })}`}
${copy('Their text', 'ui.theirs', page.content)}
${copy('Your text', 'ui.yours', mine.content)}`,
  };
}

/** True if a line of the text is one of the marks between two sides. */
export function hasMarks(text: string): boolean {
  return /^(?:<{7} yours|={7}|>{7} theirs)$/m.test(text);
}

function sentenceFor(
  { version }: Draft,
  merged: Output<'preview_page'>['merged'],
  { moved }: { moved: boolean },
): string {
  const happened =
    version === ''
      ? 'Somebody made this page while you wrote.'
      : moved
        ? 'The page moved while you wrote, and your text is not saved yet.'
        : 'Somebody changed this page while you wrote, and your text is not saved yet.';
  if (merged === null) return `${happened} Below is your text: saving it replaces what is there now.`;
  if (merged.conflicts === 0)
    return `${happened} Both changes are in the text below: look at it and save it.`;
  const places = merged.conflicts === 1 ? 'One place was' : `${merged.conflicts} places were`;
  return `${happened} ${places} changed by both: there the text below has both sides between lines of marks. Keep what is right, delete the marks, and save.`;
}

async function deleted(tools: ViewTools, wiki: string, path: string, mine: Draft): Promise<Conflict> {
  const { entries } = await tools.ask('get_history', { wiki, path, limit: 1 });
  const [last] = entries;
  return {
    path,
    draft: { ...mine, version: '', at: '', marked: false },
    theirs: null,
    fault: {
      sentence: 'The page was deleted while you wrote. Saving your text makes it again.',
      status: 409,
    },
    details: html`${last === undefined ? '' : html`<p>${showAuthor(last)} deleted it ${showTime(last.date)}. <a href="${pageAddress(wiki, path, { view: 'history' })}">See its history</a></p>`}`,
  };
}

/** The path to which the page moved, or the same one. */
async function placeNow(tools: ViewTools, wiki: string, path: string): Promise<string> {
  let place = path;
  for (let moves = 0; moves < MAX_MOVES; moves += 1) {
    if ((await pageNow(tools, wiki, place)) !== null) return place;
    const { entries } = await tools.ask('get_history', { wiki, path: place, limit: 1 });
    const to = entries[0]?.moved_to ?? null;
    if (to === null) return place;
    place = to;
  }
  return place;
}

const MAX_MOVES = 10;

function copy(title: string, id: string, text: string): Html {
  return html`<details class="write"><summary>${title}</summary><label class="hidden" for="${id}">${title}</label>
<textarea id="${id}" rows="12" readonly>
${text}</textarea></details>`;
}
