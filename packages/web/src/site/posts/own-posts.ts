import type { Context, MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import { originOf } from '../surroundings.ts';
import type { ViewTools } from '../view-tools.ts';
import { isTokenOfCookie } from './form-token.ts';
import { MAX_FILE_FORM_BYTES, MAX_PAGE_FORM_BYTES, readForm, UnreadableForm } from './read-form.ts';

/**
 * Lets only forms of our own pages change something. A page of another origin can make a browser send a form to us, with
 * the rights of the person who looks at it; it cannot make the browser say that it came from us, nor read the token.
 */
export function onlyOwnPosts(tools: ViewTools): MiddlewareHandler {
  return async (context, next) => {
    const { method } = context.req;
    if (method === 'GET' || method === 'HEAD') return next();
    if (tools.author === null) {
      return context.text('These pages can only be read.\n', 405, { Allow: 'GET, HEAD' });
    }
    if (method !== 'POST') {
      return context.text('Only forms change something here.\n', 405, { Allow: 'GET, HEAD, POST' });
    }
    const foreign = faultOfSender(context);
    const isFile = /^\/_\/[^/]+\/upload$/.test(context.req.path);
    // A foreign file is not read at all.
    if (foreign !== null && isFile) return refuse(context, tools, foreign, 403);
    const most = isFile ? MAX_FILE_FORM_BYTES : MAX_PAGE_FORM_BYTES;
    const read = await readForm(context, most, tools.fileBytes).catch(unreadable);
    if (read instanceof UnreadableForm) return refuse(context, tools, read.message, read.status);
    const { form, share } = read;
    try {
      const fault = foreign ?? faultOfToken(context, form);
      if (fault !== null) return await refuse(context, tools, fault, 403, fieldOf(form, 'content'));
      context.set(FORM, form);
      await next();
    } finally {
      share.keep(0);
    }
  };
}

function unreadable(error: unknown): UnreadableForm {
  if (error instanceof UnreadableForm) return error;
  throw error;
}

/** The fields of the form that was posted, once it is known to be ours. */
export function formOf(context: Context): FormData {
  return context.get(FORM) as FormData;
}

/** A field of text; empty if there is none. */
export function fieldOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

const FORM = 'form';

/**
 * Null if the sender is a page of ours. `Origin` is `null` for a page without an origin, such as one in a sandbox. Old
 * browsers send neither header.
 */
export function faultOfSender(context: Context): string | null {
  const origin = context.req.header('origin');
  const site = context.req.header('sec-fetch-site');
  const { protocol } = new URL(context.req.url);
  const own = originOf(context) ?? `${protocol}//${context.req.header('host')?.toLowerCase()}`;
  if (origin !== undefined && origin !== own) return FOREIGN;
  return site === undefined || site === 'same-origin' ? null : FOREIGN;
}

const FOREIGN = 'Another page sent this form, which only a page of this wiki may do.';

function faultOfToken(context: Context, form: FormData): string | null {
  if (isTokenOfCookie(context, fieldOf(form, 'token'))) return null;
  return 'The browser no longer has the cookie with which it opened this form.';
}

/** Shows what was typed, in no form: a foreign page may have written it. */
async function refuse(
  context: Context,
  tools: ViewTools,
  sentence: string,
  status: 400 | 403 | 413 | 415,
  text = '',
): Promise<Response> {
  const [, wiki = null] = /^\/(?:_\/)?([a-z0-9-]{1,64})(?:\/|$)/.exec(context.req.path) ?? [];
  const { pathname, search } = new URL(context.req.url);
  const main = html`<h1>Nothing was changed</h1>
<p role="alert">${sentence}</p>
<p><a href="${pathname}${search}">Open the form again</a></p>
${
  text === ''
    ? ''
    : html`<div class="write"><label for="ui.typed">This is the text that was sent. Copy it before you leave.</label>
<textarea id="ui.typed" rows="20" readonly>
${text}</textarea></div>`
}`;
  return tools.show(context, { wiki, title: 'Nothing was changed', main }, status);
}
