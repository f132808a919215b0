import { html } from 'hono/html';
import { placeFields } from '../clients/place-fields.ts';
import { CLIENTS_ADDRESS } from '../site/addresses.ts';
import { isolated } from '../site/error-page.ts';
import type { Html, Sheet } from '../site/layout.ts';

/** The request of a client, as it is shown to the person who decides. */
export interface Asked {
  /** As the client calls itself. */
  name: string;
  /** Where it gets what the person gives. */
  place: string;
  mayWrite: boolean;
  /** The host that vouches for the client and its name; null if nobody does. */
  of: string | null;
}

interface Shown {
  asked: Asked;
  fields: { may: string; where: string };
  fault: string | null;
  /** Proves that the form is of this session and of this request. */
  proof: string;
  address: string;
}

export function consentSheet({ asked, fields, fault, proof, address }: Shown): Sheet {
  const { name, place, mayWrite, of } = asked;
  return sheet(
    'Connect a client',
    html`<p>A client that calls itself <strong><bdi>${name}</bdi></strong> asks to ${mayWrite ? 'read and write' : 'read'} here in your name. What you give goes to <strong><bdi>${place}</bdi></strong>.</p>
<p>${of === null ? 'Anybody can choose such a name.' : html`The client is of <strong><bdi>${of}</bdi></strong>, which chose its name.`} Go on only if you have just begun this yourself, in a program that you trust.</p>
${fault === null ? '' : html`<p class="notice fault" role="alert">${isolated(fault)}</p>`}
<form class="write" method="post" action="${address}">
<input type="hidden" name="token" value="${proof}">
${placeFields(fields, mayWrite)}
<p class="buttons"><button name="do" value="allow">Connect</button>
<button class="second" name="do" value="deny">Do not connect</button></p>
</form>
<p class="hint">It may never do more than you may yourself. You find it under <a href="${CLIENTS_ADDRESS}">Tokens</a>, and can end it there at any time.</p>`,
  );
}

/** Leads to the provider, which leads to the client. */
export function goOnSheet({ name }: Asked, address: string): Sheet {
  return sheet(
    'Back to the client',
    html`<meta http-equiv="refresh" content="0; url=${address}"><p><a class="go" href="${address}">Go back to <bdi>${name}</bdi></a></p>`,
  );
}

export function endedSheet(): Sheet {
  return sheet(
    'Nothing was connected',
    html`<p role="alert">This request is not there any more, or was begun by another person or in another browser. Begin again in the client.</p>`,
  );
}

export function nothingToGiveSheet(): Sheet {
  return sheet(
    'Nothing was connected',
    html`<p role="alert">You may see none of the wikis here, so no client can act for you. Ask the person who runs this server.</p>`,
  );
}

export function tooManySheet(): Sheet {
  return sheet(
    'Nothing was connected',
    html`<p role="alert">Clients asked for your consent too often in this hour. Begin again in the client after it.</p>`,
  );
}

function sheet(title: string, rest: Html): Sheet {
  return { wiki: null, title, main: html`<h1>${title}</h1>${rest}` };
}
