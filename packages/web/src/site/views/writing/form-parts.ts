import { randomBytes } from 'node:crypto';
import { limits, newRequestId, WikiError } from '@pagetree/wiki/contract';
import type { Context } from 'hono';
import { html } from 'hono/html';
import { isolated } from '../../error-page.ts';
import type { Html } from '../../layout.ts';
import { tokenField } from '../../posts/form-token.ts';
import type { ViewTools } from '../../view-tools.ts';

/**
 * The fields that a person does not see. The id of the request is made with the form, so that a form that is sent again
 * changes nothing again.
 */
export function hiddenFields(context: Context, fields: Readonly<Record<string, string>> = {}): Html {
  return html`${tokenField(context)}
${Object.entries({ ...fields, request_id: newId() }).map(
  ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">
`,
)}`;
}

/** An id for a request that was never made before. */
export function newId(): string {
  return newRequestId(Date.now(), randomBytes(10));
}

export function messageField(message: string, otherwise: string): Html {
  return html`<label for="ui.message">Why, for the history</label>
<input id="ui.message" name="message" value="${message}" placeholder="${otherwise}" maxlength="${limits.messageCharacters}" autocomplete="off">`;
}

/** The reason why the form was not taken. */
export function faultNote(sentence: string | null): Html | '' {
  return sentence === null ? '' : html`<p class="notice fault" role="alert">${isolated(sentence)}</p>`;
}

/** Shows no form that the wiki would refuse. The wiki itself refuses what is posted. */
export function requireForm(context: Context, tools: ViewTools, wiki: string, path: string): void {
  if (context.req.method === 'POST' || tools.mayChange(wiki, path)) return;
  throw new WikiError('forbidden', {
    happened: 'This may not be changed from here.',
    now: 'Nothing was changed.',
    next: 'Start the server with a scope that includes it.',
  });
}
