import { html } from 'hono/html';
import type { Html } from '../site/layout.ts';

/** The fields by which a person says what a client may do, and where. */
export function placeFields({ may, where }: { may: string; where: string }, mayWrite = true): Html {
  return html`<label for="ui.may">What it may do</label>
<select id="ui.may" name="may">${option('read', 'Read', may)}${mayWrite ? option('write', 'Read and write', may) : ''}</select>
<label for="ui.where">Where: a wiki or a folder in each line, as main/Guides. Empty: everywhere that you may</label>
<textarea id="ui.where" name="where" rows="3" spellcheck="false">
${where}</textarea>`;
}

export function option(value: string, text: string, chosen: string): Html {
  return html`<option value="${value}"${value === chosen ? html` selected` : ''}>${text}</option>`;
}
