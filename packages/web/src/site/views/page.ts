import type { Output } from '@pagetree/wiki/contract';
import type { Context } from 'hono';
import { html, raw } from 'hono/html';
import { liveAddress, pageAddress } from '../addresses.ts';
import { allowImages } from '../headers.ts';
import type { Html } from '../layout.ts';
import { showTime } from '../times.ts';
import type { ViewTools } from '../view-tools.ts';
import { commitAt } from './commit-at.ts';
import { embedder, pageLink } from './embeds.ts';
import { withForeignImages } from './foreign-images.ts';
import { answerBlame } from './history/blame.ts';
import { answerDiff } from './history/diff.ts';
import { answerHistory } from './history/history.ts';
import { attachments, backlinks, besidePage, lastChange } from './page-parts.ts';
import { isTaken } from './path-at.ts';
import { properties } from './properties.ts';
import { crumbs, treeAround } from './tree.ts';
import { linkToRestore, linkToSettle } from './writing/ways.ts';

export async function answerPage(
  context: Context,
  tools: ViewTools,
  wiki: string,
  path: string,
): Promise<Response> {
  const view = context.req.query('view');
  if (view === 'history') return answerHistory(context, tools, wiki, path);
  if (view === 'diff') return answerDiff(context, tools, wiki, path);
  if (view === 'blame') return answerBlame(context, tools, wiki, path);

  const { at, path: pathThen } = await commitAt(tools, wiki, path, context.req.query('at'));
  const asked = context.req.queries('image') ?? [];
  const known = at === undefined && asked.length === 0 ? tools.knownCommit(context) : undefined;
  const { commit, page } = await tools.ask('view_page', { wiki, path: pathThen, at, known });
  if (page === null) return tools.unchanged(context);
  const now = at === undefined ? page.path : pathNow(page, path);
  const then = at === undefined ? undefined : commit;
  const isReused = now !== path && page.path === path && (await isTaken(tools, wiki, path));
  const { html: text, outline, uses, isGivenUp = false } = await rendered(tools, wiki, commit, page, then);
  const { html: body, sources } = withForeignImages(
    text,
    asked,
    tools.isStatic ? null : { at: context.req.query('at') },
  );
  allowImages(context, sources);
  const main = html`${crumbs(wiki, page.path)}
${at === undefined ? '' : pastNote(wiki, page, now, linkToRestore(tools, wiki, now ?? page.path, commit))}
${isReused ? html`<p class="notice">Today <a href="${pageAddress(wiki, path)}">another page</a> has this name.</p>` : ''}
${conflictNote(tools, wiki, page)}
${page.notes.map((note) => html`<p class="notice">${note}</p>`)}
<article>
${outline[0]?.depth === 1 ? '' : html`<h1>${page.title}</h1>`}
${raw(body)}
</article>
<footer class="page-end">
${lastChange(tools, wiki, page)}
${properties(tools, wiki, page, then)}
${attachments(wiki, page, then)}
${backlinks(wiki, page)}
</footer>`;
  const tree = treeAround(wiki, now ?? page.path, page.around);
  const aside = besidePage(tools, wiki, page, { outline, now });
  return tools.answer(
    context,
    {
      ...{ wiki, title: page.title, main, tree, aside },
      script: uses.diagrams ? 'diagrams' : undefined,
      live: at === undefined ? { stream: liveAddress(wiki), page: pageAddress(wiki, page.path) } : undefined,
    },
    // A page that was given up is tried again: no browser may keep it.
    asked.length === 0 && !isGivenUp ? commit : null,
  );
}

function conflictNote(tools: ViewTools, wiki: string, { path, theirs_commit: at }: Page): Html | '' {
  if (at === undefined || tools.isStatic) return '';
  const settle = linkToSettle(tools, wiki, path);
  return html`<p class="notice">A sync brought another version of this page that could not be merged. ${settle}</p>`;
}

type Page = NonNullable<Output<'view_page'>['page']>;

async function rendered(tools: ViewTools, wiki: string, commit: string, page: Page, then?: string) {
  return tools.rendered.of({
    wiki,
    path: page.path,
    version: page.version,
    commit: then !== undefined && hasEmbeds(page) ? `${then} ${await newestCommit(tools, wiki)}` : commit,
    markdown: page.content,
    links: page.links.map((link) => pageLink(tools, wiki, link, then)),
    embed: embedder(tools, wiki, page, then),
    keptBy: tools.keptBy,
  });
}

function hasEmbeds({ links }: Page): boolean {
  return links.some(({ written, file }) => written.startsWith('!') && file === null);
}

/** Also the links within what a past page embeds lead where they lead today. */
async function newestCommit(tools: ViewTools, wiki: string): Promise<string> {
  const { entries } = await tools.ask('get_history', { wiki, limit: 1 });
  return entries[0]?.commit ?? '';
}

/** The path of the page today, null if it was deleted. A function of an older version does not say. */
function pathNow({ path_now: now }: Page, asked: string): string | null {
  return now === undefined ? asked : now;
}

function pastNote(wiki: string, page: Page, now: string | null, restore: Html | ''): Html {
  const { last_change: change, links } = page;
  const parts = [
    ...(hasEmbeds(page) ? ['its embedded pages as they were'] : []),
    ...(links.some(({ file }) => file !== null) ? ['its files as they were, unless they moved since'] : []),
  ];
  return html`<p class="notice">This is the page as it was${
    change === null ? '' : html` after a change on ${showTime(change.date)}`
  }${parts.length === 0 ? '' : `, with ${parts.join(', and ')}`}. ${
    now === null
      ? 'It was deleted since.'
      : html`<a href="${pageAddress(wiki, now)}">See the page as it is now</a>`
  } ${restore}</p>`;
}
