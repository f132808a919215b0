import type { Context } from 'hono';
import { html } from 'hono/html';
import { pageAddress, viewAddress } from '../../addresses.ts';
import type { Html } from '../../layout.ts';
import type { ViewTools } from '../../view-tools.ts';
import { faultNote, requireForm } from './form-parts.ts';

/** Leads to the form of a new page. It changes nothing itself, so that it needs no token. */
export async function answerNew(context: Context, tools: ViewTools, wiki: string): Promise<Response> {
  const path = (context.req.query('path') ?? '').trim();
  const names = path.split('/');
  const isRelative = names.some((each) => each === '.' || each === '..');
  requireForm(context, tools, wiki, path);
  // A browser takes `..` for a step up, which would lead to the form of another wiki.
  if (names.at(-1) !== '' && !isRelative)
    return context.redirect(pageAddress(wiki, path, { view: 'edit' }), 303);
  const main = html`<h1>New page</h1>
${faultNote(isRelative ? 'A path begins at the root of the wiki, and has no “.” or “..” in it.' : 'Give the page a name.')}
${newPageForm(wiki, path)}`;
  return tools.answer(context, { wiki, title: 'New page', main }, null);
}

/** `folder` ends in a slash, or is empty for the root. */
export function newPageForm(wiki: string, folder: string): Html {
  return html`<form class="filters" action="${viewAddress(wiki, 'new')}">
<label>New page <input name="path" value="${folder}" required autocomplete="off"></label>
<button>Write it</button>
</form>`;
}
