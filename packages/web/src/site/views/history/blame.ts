import type { Output } from '@pagetree/wiki/contract';
import type { Context } from 'hono';
import { html } from 'hono/html';
import { pageAddress } from '../../addresses.ts';
import type { Html } from '../../layout.ts';
import { showTime } from '../../times.ts';
import type { ViewTools } from '../../view-tools.ts';
import { showAuthor, showMessage } from '../authorship.ts';
import { commitAt } from '../commit-at.ts';
import { crumbs } from '../tree.ts';

type Blame = Output<'blame_page'>;
type Block = Blame['blocks'][number];

/** The writers of each paragraph of a page, beside its text. */
export async function answerBlame(
  context: Context,
  tools: ViewTools,
  wiki: string,
  askedPath: string,
): Promise<Response> {
  const { at: asked, line } = context.req.query();
  const { at, path } = await commitAt(tools, wiki, askedPath, asked);
  const start_line = line === undefined ? 1 : Number(line);
  const blame = await tools.ask('blame_page', { wiki, path, at, start_line });
  const { page } = await tools.ask('view_page', { wiki, path, at: blame.commit });
  const lines = (page?.content ?? '').split('\n');
  const here = (query: Record<string, string>) => pageAddress(wiki, path, query);
  const next = blame.next_start_line;
  const main = html`${crumbs(wiki, path)}
<h1>Who wrote <a href="${here(at === undefined ? {} : { at })}">${path.split('/').at(-1)}</a></h1>
<ul class="ways"><li><a href="${here({ view: 'history' })}">History</a></li></ul>
${at === undefined ? '' : html`<p class="notice">As of commit <code>${at.slice(0, 12)}</code>.</p>`}
${stopNote(blame)}
<ol class="blame">${alike(blame.blocks).map(
    (blocks) => html`<li>
<div class="writers">${writers(wiki, path, blame, blocks)}</div>
<div class="written">${blocks.map(
      ({ start_line, end_line }) => html`<pre>${lines.slice(start_line - 1, end_line).join('\n')}</pre>`,
    )}</div>
</li>
`,
  )}</ol>
${next === null ? '' : html`<p><a rel="next" href="${here({ view: 'blame', at: blame.commit, line: String(next) })}">Further down</a></p>`}`;
  return tools.answer(context, { wiki, title: `Who wrote ${path}`, main }, blame.commit);
}

/** Consecutive blocks that the same commits wrote. */
function alike(blocks: readonly Block[]): Block[][] {
  const groups: Block[][] = [];
  let last = '';
  for (const block of blocks) {
    const by = block.by.map(({ commit }) => commit).join();
    if (by === last) groups.at(-1)?.push(block);
    else groups.push([block]);
    last = by;
  }
  return groups;
}

/** The commit with the most lines in full, the others in a line each. */
function writers(wiki: string, path: string, { commits }: Blame, [block]: readonly Block[]): Html[] {
  return (block?.by ?? []).map(({ commit }, index) => {
    const found = commits.find((each) => each.commit === commit);
    if (found === undefined) return html`<p class="who">Older than what was looked at</p>`;
    const change = pageAddress(wiki, found.path ?? path, { view: 'diff', to: found.commit });
    const when = html`<a href="${change}">${showTime(found.date)}</a>`;
    if (index > 0) return html`<p class="who">also ${showAuthor(found)}, ${when}</p>`;
    return html`${showMessage(found.message)}<p class="who">${showAuthor(found)}<br>${when}</p>`;
  });
}

function stopNote({ stopped_at: stopped }: Blame): Html | '' {
  if (stopped === null) return '';
  return html`<p class="notice">The history is long: it was read back to ${showTime(stopped.date)}.</p>`;
}
