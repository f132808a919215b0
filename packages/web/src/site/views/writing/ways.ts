import { html } from 'hono/html';
import { pageAddress, type Query, viewAddress } from '../../addresses.ts';
import type { Html } from '../../layout.ts';
import type { ViewTools } from '../../view-tools.ts';

/** The entries of a list that lead to the forms of a page, if a person may change it. */
export function waysToChange(tools: ViewTools, wiki: string, path: string): Html | '' {
  if (!tools.mayChange(wiki, path)) return '';
  const forms = { edit: 'Edit', move: 'Move or rename', delete: 'Delete' };
  return html`${Object.entries(forms).map(
    ([view, name]) => html`<li><a href="${pageAddress(wiki, path, { view })}">${name}</a></li>
`,
  )}${wayToUpload(tools, wiki, path.slice(0, path.lastIndexOf('/') + 1))}`;
}

/** `folder` ends in a slash, or is empty for the root. */
export function wayToUpload(tools: ViewTools, wiki: string, folder: string): Html | '' {
  if (!tools.mayChange(wiki, folder)) return '';
  return html`<li><a href="${viewAddress(wiki, 'upload', { folder })}">Add a file</a></li>
`;
}

/** The link to the form that undoes a commit, or what somebody did. Commits may lie outside of what may be changed. */
export function linkToUndo(tools: ViewTools, wiki: string, query: Query, name = 'Undo it'): Html | '' {
  if (tools.author === null) return '';
  return html`<a href="${viewAddress(wiki, 'undo', query)}">${name}</a>`;
}

/** The link that brings a page back as it was after a commit. */
export function linkToRestore(tools: ViewTools, wiki: string, path: string, at: string): Html | '' {
  if (!tools.mayChange(wiki, path)) return '';
  return html`<a href="${pageAddress(wiki, path, { view: 'restore', at })}">Restore it</a>`;
}

/** The link to the form that settles a conflict of a page. */
export function linkToSettle(tools: ViewTools, wiki: string, path: string): Html | '' {
  if (!tools.mayChange(wiki, path)) return '';
  return html`<a href="${pageAddress(wiki, path, { view: 'conflict' })}">Compare and settle</a>`;
}

/** The link to the form that fixes a problem of a page. */
export function linkToFix(
  tools: ViewTools,
  wiki: string,
  path: string,
  query: Query,
  name = 'Fix it',
): Html | '' {
  if (!tools.mayChange(wiki, path)) return '';
  return html`<a href="${viewAddress(wiki, 'fix', { path, ...query })}">${name}</a>`;
}
