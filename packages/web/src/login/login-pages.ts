import { html } from 'hono/html';
import type { Html, Sheet } from '../site/layout.ts';

/** Where a person chooses to log in. Nobody is logged in by looking at a page, or again after having signed out. */
export function loginSheet(issuer: string, begin: string): Sheet {
  const { host } = new URL(issuer);
  return sheet(
    'Log in',
    html`<p>These pages are for people who log in at <b>${host}</b>.</p>
${wayIn(begin, `Log in at ${host}`)}`,
  );
}

export function failedSheet(sentence: string, begin: string): Sheet {
  return sheet('You are not logged in', html`<p role="alert">${sentence}</p>${wayIn(begin, 'Try again')}`);
}

/**
 * `leave` is the address at which the person signs out of the issuer as well. If the end of the session was not noted, a
 * copy of its cookie still counts.
 */
export function signedOutSheet(issuer: string, leave: URL | null, isNoted: boolean): Sheet {
  const { host } = new URL(issuer);
  const there =
    leave === null
      ? html`<p>You may still be logged in at ${host}. On a machine that others use, sign out there too.</p>`
      : html`<p>You are still logged in at ${host}. <a class="go" href="${leave.href}">Sign out there too</a></p>`;
  // A person who has a warning to read is not led on.
  const first = isNoted ? leave !== null && forward(leave.href) : NOT_NOTED;
  return sheet('You are signed out', html`${first}${there}<p><a href="/">Log in again</a></p>`);
}

const NOT_NOTED = html`<p role="alert">This browser has forgotten your login, but the server could not note its end. A copy of the cookie, if somebody made one, counts until twelve hours after you logged in.</p>`;

/** For a form that was sent after the end of its session. Its text is in the page before. */
export function expiredSheet(login: string): Sheet {
  return sheet(
    'Nothing was changed',
    html`<p role="alert">You are not logged in any more.</p>
<p><a href="${login}" target="_blank">Log in in another tab</a>, then go back to the form with your browser, and send it again.</p>`,
  );
}

export function refusedSheet(sentence: string): Sheet {
  return sheet(
    'You are not signed out',
    html`<p role="alert">${sentence}</p><p><a href="/">Go to the beginning</a></p>`,
  );
}

/** Leads on from a page of ours, so that the browser sends the cookies that it keeps from foreign pages. */
export function loggedInSheet(to: string): Sheet {
  return sheet('You are logged in', html`${forward(to)}<p><a href="${to}">Go on</a></p>`);
}

function sheet(title: string, rest: Html): Sheet {
  return { wiki: null, title, main: html`<h1>${title}</h1>${rest}` };
}

/** A link: a form could not lead to another origin, since the policy of our pages forbids it. */
function wayIn(begin: string, name: string): Html {
  return html`<p><a class="go" href="${begin}">${name}</a></p>`;
}

/** At once, also without JavaScript. */
function forward(address: string): Html {
  return html`<meta http-equiv="refresh" content="0; url=${address}">`;
}
