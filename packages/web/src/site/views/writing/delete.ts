import type { Context } from 'hono';
import { html } from 'hono/html';
import { pageAddress } from '../../addresses.ts';
import type { Html } from '../../layout.ts';
import { fieldOf, formOf } from '../../posts/own-posts.ts';
import type { ViewTools } from '../../view-tools.ts';
import { backlinks } from '../page-parts.ts';
import { crumbs } from '../tree.ts';
import { type Fault, faultOf } from './faults.ts';
import { faultNote, hiddenFields, messageField } from './form-parts.ts';

/** Deletes a page, after a look at the pages that link to it. */
export async function answerDelete(
  context: Context,
  tools: ViewTools,
  wiki: string,
  path: string,
): Promise<Response> {
  if (context.req.method !== 'POST') return showDelete(context, tools, wiki, path, {});
  const form = formOf(context);
  const message = fieldOf(form, 'message').trim();
  try {
    await tools.change('delete_page', {
      wiki,
      path,
      version: fieldOf(form, 'version'),
      message: message || undefined,
      request_id: fieldOf(form, 'request_id'),
    });
    return context.redirect(pageAddress(wiki, path, { view: 'history' }), 303);
  } catch (error) {
    return showDelete(context, tools, wiki, path, { message, fault: faultOf(context, tools, error) });
  }
}

async function showDelete(
  context: Context,
  tools: ViewTools,
  wiki: string,
  path: string,
  { message = '', fault }: { message?: string; fault?: Fault },
): Promise<Response> {
  const { page } = await tools.ask('view_page', { wiki, path });
  const main = html`${crumbs(wiki, path)}
<h1>Delete <bdi>${page?.title ?? path}</bdi>?</h1>
${faultNote(fault?.sentence ?? null)}
${page === null ? '' : deleteForm(context, wiki, page, message)}
${page === null ? '' : backlinks(wiki, page)}`;
  return tools.show(context, { wiki, title: `Delete ${path}`, main }, fault?.status ?? 200);
}

function deleteForm(
  context: Context,
  wiki: string,
  { path, version }: { path: string; version: string },
  message: string,
): Html {
  return html`<p>Its history stays, and it can be restored from there. Links to it will lead nowhere.</p>
<form class="write" method="post" action="${pageAddress(wiki, path, { view: 'delete' })}">
${hiddenFields(context, { version })}
${messageField(message, `Delete ${path}`)}
<p class="buttons"><button>Delete</button> <a href="${pageAddress(wiki, path)}">Cancel</a></p>
</form>`;
}
