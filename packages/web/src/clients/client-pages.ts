import type { Given } from '@pagetree/access/given-rights';
import { html } from 'hono/html';
import type { ConnectedClient } from '../oauth/gifts.ts';
import { CLIENTS_ADDRESS } from '../site/addresses.ts';
import { isolated } from '../site/error-page.ts';
import type { Html, Sheet } from '../site/layout.ts';
import type { PersonalToken } from './personal-tokens.ts';
import { option, placeFields } from './place-fields.ts';
import { DAYS, placeLines, type TokenFields } from './token-form.ts';

interface Shown {
  tokens: readonly PersonalToken[];
  connected: readonly ConnectedClient[];
  fields: TokenFields;
  fault: string | null;
  /** Proves that the form is of this session. */
  proof: string;
  /** The address for agents. */
  endpoint: string;
}

/** The tokens of a person, and the form for a new one. */
export function clientsSheet({ tokens, connected, fields, fault, proof, endpoint }: Shown): Sheet {
  return sheet(
    'Tokens',
    html`${
      connected.length === 0
        ? ''
        : html`<h2>Clients that you connected</h2>
<ul>${connected.map((client) => connectedEntry(client, proof))}</ul>
<h2>Tokens that you made</h2>
`
    }<p>A token lets an agent or a script read and write here in your name, at <code>${endpoint}</code>. It may never do more than you may yourself. After thirty days without a login of yours it stops until you log in again.</p>
${fault === null ? '' : html`<p class="notice fault" role="alert">${isolated(fault)}</p>`}
${tokens.length === 0 ? html`<p>You have none.</p>` : html`<ul>${tokens.map((token) => entry(token, proof))}</ul>`}
<h2>Make a token</h2>
${tokenForm(fields, proof)}`,
  );
}

/** Shows the secret of a new token, which is nowhere else. */
export function madeSheet(name: string, secret: string, endpoint: string): Sheet {
  return sheet(
    'Your new token',
    html`<p>Copy it now: it is not shown again. Everybody who has it can do here what you gave to <bdi>${name}</bdi>.</p>
<pre><code>${secret}</code></pre>
<p>A client of MCP that takes a token gets the address <code>${endpoint}</code> and the header</p>
<pre><code>Authorization: Bearer ${secret}</code></pre>
<p><a href="${CLIENTS_ADDRESS}">To your tokens</a></p>`,
  );
}

export function refusedClientsSheet(): Sheet {
  return sheet(
    'Nothing was changed',
    html`<p role="alert">The form was of another login, or another page sent it.</p>
<p><a href="${CLIENTS_ADDRESS}">Open the page again</a></p>`,
  );
}

function entry({ id, name, given, madeMs, usedMs, untilMs }: PersonalToken, proof: string): Html {
  return html`<li>
<p><strong><bdi>${name}</bdi></strong> ${whatOf(given)}</p>
<p class="hint">Made ${day(madeMs)}, ${usedOn(usedMs)}, ends ${day(untilMs)}</p>
${ending('revoke', { id, name }, proof)}
</li>
`;
}

function connectedEntry({ id, name, place, given, madeMs, usedMs }: ConnectedClient, proof: string): Html {
  return html`<li>
<p><strong><bdi>${name}</bdi></strong>, by <bdi>${place}</bdi>, ${whatOf(given)}</p>
<p class="hint">Connected ${day(madeMs)}, ${usedOn(usedMs)}</p>
${ending('disconnect', { id, name }, proof)}
</li>
`;
}

/** The button that ends a token or a client. */
function ending(how: keyof typeof ENDINGS, { id, name }: { id: string; name: string }, proof: string): Html {
  return html`<form method="post" action="${CLIENTS_ADDRESS}">
<input type="hidden" name="token" value="${proof}">
<input type="hidden" name="id" value="${id}">
<button class="second" name="do" value="${how}" aria-label="${ENDINGS[how]} ${name}">${ENDINGS[how]}</button>
</form>`;
}

const ENDINGS = { revoke: 'Revoke', disconnect: 'Disconnect' };

function usedOn(usedMs: number | null): Html {
  return usedMs === null ? html`never used` : html`last used ${day(usedMs)}`;
}

function whatOf(given: Given): Html {
  const where = placeLines(given);
  const what = given.may === 'read' ? 'reads' : 'reads and writes';
  if (where.length === 0) return html`${what} everything that you may`;
  return html`${what} ${where.map((line, at) => html`${at === 0 ? '' : ', '}<code>${line}</code>`)}`;
}

function tokenForm({ name, may, where, days }: TokenFields, proof: string): Html {
  return html`<form class="write" method="post" action="${CLIENTS_ADDRESS}">
<input type="hidden" name="token" value="${proof}">
<label for="ui.name">What it is for</label>
<input id="ui.name" name="name" value="${name}" maxlength="60" placeholder="Claude Code on my laptop" required autocomplete="off">
${placeFields({ may, where })}
<label for="ui.days">When it ends</label>
<select id="ui.days" name="days">${DAYS.map((each) => option(each, `After ${each} days`, days))}</select>
<p class="buttons"><button name="do" value="make">Make the token</button></p>
</form>`;
}

function day(ms: number): Html {
  const date = new Date(ms).toISOString();
  return html`<time datetime="${date}">${date.slice(0, 10)}</time>`;
}

function sheet(title: string, rest: Html): Sheet {
  return { wiki: null, title, main: html`<h1>${title}</h1>${rest}` };
}
