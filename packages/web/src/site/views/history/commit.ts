import type { Output } from '@pagetree/wiki/contract';
import type { Context } from 'hono';
import { html } from 'hono/html';
import { commitAddress, fileAddress, pageAddress, viewAddress } from '../../addresses.ts';
import type { Html } from '../../layout.ts';
import type { ViewTools } from '../../view-tools.ts';
import { firstLine } from '../authorship.ts';
import { linkToUndo } from '../writing/ways.ts';
import { showChange } from './one-change.ts';

type Commit = Output<'view_commit'>;
type Change = Commit['changes'][number];

/** Everything that one commit changed: pages with their differences, and other files. */
export async function answerCommit(
  context: Context,
  tools: ViewTools,
  wiki: string,
  id: string,
): Promise<Response> {
  const { cursor } = context.req.query();
  const commit = await tools.ask('view_commit', { wiki, commit: id, cursor });
  const { changes, total, next_cursor: next } = commit;
  const pages = changes.filter(({ is_page: isPage }) => isPage);
  const files = changes.filter(({ is_page: isPage }) => !isPage);
  const title = firstLine(commit.message) || 'A change';
  const undo = linkToUndo(tools, wiki, { commit: commit.commit });
  const main = html`<h1>One change</h1>
${showChange(commit)}
<ul class="ways"><li><a href="${viewAddress(wiki, 'changes')}">All changes</a></li>${undo === '' ? '' : html`<li>${undo}</li>`}</ul>
${commit.leaves_out_files ? html`<p class="notice">It changed more than what is shown here.</p>` : ''}
${total === 0 ? html`<p>It changed no page.</p>` : ''}
${list('Pages', pages, ({ path }) => pageLinks(wiki, path, commit.commit))}
${list('Files', files, (file) => fileLinks(wiki, file, commit))}
${next === null ? '' : html`<p><a rel="next" href="${commitAddress(wiki, commit.commit, { cursor: next })}">More of the ${total}</a></p>`}`;
  return tools.answer(context, { wiki, title, main }, commit.commit);
}

function list(title: string, changes: readonly Change[], links: (change: Change) => Html): Html | '' {
  if (changes.length === 0) return '';
  return html`<h2>${title}</h2>
<ul class="touched">${changes.map(
    (change) => html`<li><span class="action ${change.action}">${change.action}</span>
${links(change)}</li>
`,
  )}</ul>`;
}

function pageLinks(wiki: string, path: string, commit: string): Html {
  return html`<a href="${pageAddress(wiki, path, { view: 'diff', to: commit })}">${path}</a>`;
}

/** Leads to the file after the commit, and to the one that it replaced or deleted. */
function fileLinks(wiki: string, { path, action }: Change, { commit, before }: Commit): Html {
  const past = action === 'added' || before === null ? null : fileAddress(wiki, path, before);
  return html`${action === 'deleted' ? html`<bdi>${path}</bdi>` : html`<a href="${fileAddress(wiki, path, commit)}">${path}</a>`}${
    past === null ? '' : html` <a class="when" href="${past}">before</a>`
  }`;
}
