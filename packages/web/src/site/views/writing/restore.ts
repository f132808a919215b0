import type { Context } from 'hono';
import { html } from 'hono/html';
import { pageAddress } from '../../addresses.ts';
import { fieldOf, formOf } from '../../posts/own-posts.ts';
import type { ViewTools } from '../../view-tools.ts';
import { pathAt } from '../path-at.ts';
import { crumbs } from '../tree.ts';
import { type Fault, faultOf } from './faults.ts';
import { faultNote, hiddenFields, messageField } from './form-parts.ts';
import { pageNow } from './page-now.ts';

/** Brings a page back as it was after the commit `at`: one that was deleted, or an old version. */
export async function answerRestore(
  context: Context,
  tools: ViewTools,
  wiki: string,
  path: string,
): Promise<Response> {
  const at = context.req.query('at') ?? '';
  if (context.req.method !== 'POST') return showRestore(context, tools, { wiki, path, at });
  const form = formOf(context);
  const message = fieldOf(form, 'message').trim();
  try {
    const version = fieldOf(form, 'version') || undefined;
    const asked = {
      message: message || `Restore ${path} as of ${at.slice(0, 10)}`,
      request_id: fieldOf(form, 'request_id'),
    };
    const restored = await restore(tools, { wiki, path, at, version }, asked);
    return context.redirect(pageAddress(wiki, restored.path), 303);
  } catch (error) {
    const fault = faultOf(context, tools, error);
    return showRestore(context, tools, { wiki, path, at, message, fault });
  }
}

/** A page that moved since gets its old text where it is now: restore_page would make a second one. */
async function restore(
  tools: ViewTools,
  { wiki, path, at, version }: { wiki: string; path: string; at: string; version: string | undefined },
  asked: { message: string; request_id: string },
): Promise<{ path: string }> {
  const then = await pathAt(tools, wiki, path, at);
  if (version === undefined || then === path) {
    return tools.change('restore_page', { wiki, path: then, commit: at, version, ...asked });
  }
  const { page } = await tools.ask('view_page', { wiki, path: then, at });
  const content = page?.content ?? '';
  return tools.change('write_page', { wiki, path, content, version, allow_shrink: true, ...asked });
}

interface Shown {
  wiki: string;
  path: string;
  at: string;
  message?: string;
  fault?: Fault;
}

async function showRestore(
  context: Context,
  tools: ViewTools,
  { wiki, path, at, message = '', fault }: Shown,
): Promise<Response> {
  const [now, then] = await Promise.all([pageNow(tools, wiki, path), pathAt(tools, wiki, path, at)]);
  const { page } = await tools.ask('view_page', { wiki, path: then, at });
  const past = pageAddress(wiki, then, { at });
  const main = html`${crumbs(wiki, path)}
<h1>Restore <bdi>${page?.title ?? path}</bdi>?</h1>
${faultNote(fault?.sentence ?? null)}
<p>The page becomes again <a href="${past}">what it was then</a>. ${
    now === null
      ? 'It was deleted since.'
      : html`<a href="${pageAddress(wiki, path)}">What it is now</a> stays in its history.`
  }</p>
<form class="write" method="post" action="${pageAddress(wiki, path, { view: 'restore', at })}">
${hiddenFields(context, { version: now?.page.version ?? '' })}
${messageField(message, `Restore ${path} as of ${at.slice(0, 10)}`)}
<p class="buttons"><button>Restore</button> <a href="${pageAddress(wiki, path, { view: 'history' })}">Cancel</a></p>
</form>`;
  return tools.show(context, { wiki, title: `Restore ${path}`, main }, fault?.status ?? 200);
}
