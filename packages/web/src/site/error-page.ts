import type { ErrorCode, WikiError } from '@pagetree/wiki/contract';
import type { Context } from 'hono';
import { html } from 'hono/html';
import { faultOfAddress } from './address-faults.ts';
import { pageAddress, pathIn, viewAddress } from './addresses.ts';
import type { Html, Sheet } from './layout.ts';
import { personOf } from './surroundings.ts';

/** What an error page needs of the tools of a view. */
export interface ErrorTools {
  readonly log: (line: string) => void;
  show(context: Context, sheet: Sheet, status: ErrorStatus): Promise<Response>;
  mayChange(wiki: string, path: string): boolean;
}

export type ErrorStatus = 200 | 400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 500 | 503;

/** The error page for a person: what happened, and links that lead on. */
export async function answerError(context: Context, tools: ErrorTools, error: WikiError): Promise<Response> {
  const status = statusOfFailure(context, tools, error);
  const [, wiki = null] =
    /^\/(?:_\/(?=[^/]*\/))?([a-z0-9-]{1,64})(?:\/|$)/.exec(new URL(context.req.url).pathname) ?? [];
  const difference = differenceIn(error);
  if (difference !== null) {
    const { title, why, cure } = DIFFERENCES[difference];
    const main = html`<h1>${title}</h1><p>${why} What it can answer is still shown.</p><p>${cure}</p>`;
    return tools.show(context, { wiki, title, main }, status);
  }
  const title = TITLES[error.code] ?? 'Something went wrong';
  const main = html`<h1>${title}</h1>
<p>${isolated(faultOfAddress(context.req.url, error) ?? error.text.happened)}</p>
${wiki === null ? html`<p><a href="/">Go to the beginning</a></p>` : waysOn(context, tools, wiki, error)}`;
  const isUnknownWiki = error.code === 'not_found' && Array.isArray(error.data.wikis);
  return tools.show(context, { wiki: isUnknownWiki ? null : wiki, title, main }, status);
}

function waysOn(context: Context, tools: ErrorTools, wiki: string, error: WikiError): Html {
  const { near, wikis, gone } = error.data;
  const [path, file] = [`/${wiki}/`, `/_/${wiki}/files/`].map((prefix) => pathBelow(context.req.url, prefix));
  const words = (path ?? file)?.split('/').at(-1) ?? '';
  if (statusOf(error) === 429 || statusOf(error) >= 500) return html`<p>${NEXT[error.code] ?? TRY_AGAIN}</p>`;
  if (Array.isArray(wikis)) {
    return html`<p>There are:</p><ul>${wikis.map((name) => html`<li><a href="/${name}">${name}</a></li>`)}</ul>`;
  }
  const movedTo = movedToOf(gone);
  const history = path == null ? '' : pageAddress(wiki, path, { view: 'history' });
  const isDeleted = path != null && gone !== undefined && movedTo === null;
  return html`${
    movedTo === null
      ? ''
      : html`<p class="notice gone">This page was moved to <a href="${pageAddress(wiki, movedTo)}">${movedTo}</a>.</p>`
  }${isDeleted ? html`<p class="notice gone">This page was deleted. <a href="${history}">See its history</a></p>` : ''}${
    Array.isArray(near) && near.length > 0
      ? html`<p>Pages with near names:</p>
<ul>${near.map((each: unknown) => html`<li><a href="${pageAddress(wiki, String(each))}">${each}</a></li>`)}</ul>`
      : ''
  }
<ul class="ways">
${path != null && !isDeleted && (gone || context.req.query('view') !== undefined) ? html`<li><a href="${history}">See its history</a></li>` : ''}
${path != null && path !== '' && !path.endsWith('/') && error.code === 'not_found' && tools.mayChange(wiki, path) ? html`<li><a href="${pageAddress(wiki, path, { view: 'edit' })}">Write this page</a></li>` : ''}
${words === '' ? '' : html`<li><a href="${viewAddress(wiki, 'search', { q: words })}">Search for “${words}”</a></li>`}
<li><a href="/${wiki}">Go to the beginning of the wiki</a></li>
</ul>`;
}

/** The status of an answer that fails, which is logged where it is not the person's own doing, and says when to come again. */
export function statusOfFailure(
  context: Context,
  { log }: Pick<ErrorTools, 'log'>,
  error: WikiError,
): ErrorStatus {
  const status = statusOf(error);
  // A browser that has gone needs no report.
  if ((status === 429 || status >= 500) && !context.req.raw.signal.aborted)
    log(`${placeOf(context)}: ${error.code}: ${causeOf(error)}`);
  const isOtherVersion = differenceIn(error) !== null;
  if ((status === 429 || status === 503) && !isOtherVersion)
    context.header('Retry-After', secondsUntilAgain(error));
  return status;
}

/** A sentence in which quoted names turn nothing around but themselves. */
export function isolated(sentence: string): (Html | string)[] {
  return sentence
    .split('"')
    .flatMap((part, at) => [at === 0 ? '' : '"', TURNING.test(part) ? html`<bdi>${part}</bdi>` : part]);
}

/** Letters that run from right to left, and marks that make others do so. */
const TURNING = /[\u0590-\u08ff\u202a-\u202e\u2066-\u2069]/;

/** The present path of a page that is not here; null if it was deleted, or never was. */
export function movedToOf(gone: unknown): string | null {
  const movedTo = (gone as { moved_to?: unknown } | undefined)?.moved_to;
  return typeof movedTo === 'string' ? movedTo : null;
}

function statusOf({ code }: WikiError): ErrorStatus {
  return STATUS[code] ?? 500;
}

function secondsUntilAgain({ data: { retry_after_ms: ms } }: WikiError): string {
  return String(typeof ms === 'number' ? Math.max(1, Math.ceil(ms / 1_000)) : 1);
}

type Difference = 'older' | 'newer' | 'other';

/** How the wiki's function differs from these pages, if it was deployed from another version and could not answer. */
function differenceIn({ code, data }: WikiError): Difference | null {
  const { backend_contract: theirs, server_contract: ours } = data;
  if (code !== 'backend_unavailable' || typeof theirs !== 'number' || typeof ours !== 'number') return null;
  return theirs === ours ? 'other' : theirs < ours ? 'older' : 'newer';
}

const DIFFERENCES: Record<Difference, { title: string; why: string; cure: Html }> = {
  older: {
    title: 'The deployed wiki is older than these pages',
    why: 'It was deployed from an older version, which does not know all that this page asks for.',
    cure: html`The person who runs the wiki can deploy it again from the version of these pages: <code>pnpm deploy:aws</code>.`,
  },
  newer: {
    title: 'The deployed wiki is newer than these pages',
    why: 'It was deployed from a newer version, which does not take what this page asks for.',
    cure: html`The person who runs these pages can update them to the version from which the wiki was deployed.`,
  },
  other: {
    title: 'The deployed wiki is of another version than these pages',
    why: 'It was deployed from another version, which does not take what this page asks for.',
    cure: html`The person who runs the wiki can deploy it again, with <code>pnpm deploy:aws</code>, and start these pages, both from the same version.`,
  },
};

const STATUS: Partial<Record<ErrorCode, ErrorStatus>> = {
  version_conflict: 409,
  already_exists: 409,
  not_found: 404,
  no_match: 404,
  ambiguous_match: 404,
  invalid_path: 400,
  invalid_input: 400,
  forbidden: 403,
  too_large: 413,
  busy: 429,
  backend_unavailable: 503,
};

const TITLES: Partial<Record<ErrorCode, string>> = {
  not_found: 'Nothing is here',
  invalid_path: 'This is no address of a page',
  invalid_input: 'This address is not right',
  forbidden: 'This may not be done from here',
  too_large: 'This is too large',
  busy: 'The wiki is busy',
  backend_unavailable: 'The wiki cannot be reached',
};

function pathBelow(address: string, prefix: string): string | null {
  return new URL(address).pathname.startsWith(prefix) ? pathIn(address, prefix) : null;
}

/** The texts of an error are for agents and for the terminal. */
const NEXT: Partial<Record<ErrorCode, string>> = {
  busy: 'Load the page again in a moment.',
};
const TRY_AGAIN = 'Load the page again. If it fails again, the terminal in which the server runs says more.';

/** The log of a team has no name of a page: who reads it may not be who may read that. */
function placeOf(context: Context): string {
  const { pathname } = new URL(context.req.url);
  return personOf(context) === undefined ? pathname : `${context.req.method} of a page`;
}

/** The reason of a failure, for the log. */
function causeOf(error: WikiError): string {
  return error.cause instanceof Error ? error.cause.message : error.text.happened;
}
