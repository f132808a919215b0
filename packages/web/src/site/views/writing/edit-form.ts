import { limits } from '@pagetree/wiki/contract';
import type { Context } from 'hono';
import { html } from 'hono/html';
import { folderAddress, pageAddress, viewAddress } from '../../addresses.ts';
import { allowEditor } from '../../headers.ts';
import type { Html } from '../../layout.ts';
import type { ViewTools } from '../../view-tools.ts';
import { crumbs } from '../tree.ts';
import type { Fault } from './faults.ts';
import { faultNote, hiddenFields, messageField } from './form-parts.ts';

/** The text of a form, and what it was made from. */
export interface Draft {
  content: string;
  message: string;
  /** The version that was read; empty for a new page. */
  version: string;
  /** The commit at which it was read; empty for a new page. */
  at: string;
  /** True if the text has marks where two people changed the same place. */
  marked: boolean;
}

interface Shown {
  wiki: string;
  path: string;
  /** Null if the page cannot be edited. */
  draft: Draft | null;
  fault?: Fault;
  /** The present path of the page that had this one before. */
  movedTo?: string | null;
  preview?: Html;
  /** Above the form. */
  intro?: Html;
  /** The two sides of a conflict. */
  details?: Html;
}

export async function showEditForm(
  context: Context,
  tools: ViewTools,
  { wiki, path, draft, fault, movedTo = null, preview, intro, details }: Shown,
): Promise<Response> {
  const isNew = draft?.version === '';
  const address = pageAddress(wiki, path);
  const name = path.split('/').at(-1) ?? path;
  const main = html`${crumbs(wiki, path)}
<h1>${isNew ? html`New page <bdi>${name}</bdi>` : html`Edit <a href="${address}">${name}</a>`}</h1>
${faultNote(fault?.sentence ?? null)}
${movedTo === null ? '' : html`<p class="notice">The page that was here was moved to <a href="${pageAddress(wiki, movedTo)}">${movedTo}</a>. <a href="${pageAddress(wiki, movedTo, { view: 'edit' })}">Edit it there</a>, or write a new page here.</p>`}
${preview === undefined ? '' : html`<section aria-labelledby="ui.previewed"><h2 id="ui.previewed">Preview, not saved yet</h2>${preview}</section>`}
${intro ?? ''}
${draft === null ? '' : editForm(context, tools, { wiki, path, draft })}
${details ?? ''}`;
  const title = `${isNew ? 'New page' : 'Edit'} ${path}`;
  if (draft !== null) allowEditor(context);
  return tools.show(context, { wiki, title, main, editor: draft !== null }, fault?.status ?? 200);
}

function editForm(
  context: Context,
  tools: ViewTools,
  { wiki, path, draft }: { wiki: string; path: string; draft: Draft },
): Html {
  const { content, message, version, at, marked } = draft;
  const isNew = version === '';
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  // For client/editor. A scope may let a person write the page, but no file beside it.
  const upload = tools.mayChange(wiki, folder)
    ? html` data-upload="${viewAddress(wiki, 'upload', { folder })}" data-file-bytes="${limits.attachmentBytes}"`
    : '';
  // Not urlencoded, which takes three bytes for one.
  return html`<form class="write" method="post" enctype="multipart/form-data" action="${pageAddress(wiki, path, { view: 'edit' })}" data-page-bytes="${limits.pageBytes}"${upload}>
${hiddenFields(context, { version, at, marked: marked ? 'true' : '' })}
<label for="ui.text">Text, in Markdown</label>
<textarea id="ui.text" name="content" rows="24">
${content}</textarea>
${messageField(message, `${isNew ? 'Create' : 'Update'} ${path}`)}
<p class="buttons"><button name="do" value="save">Save</button>
<button class="second" name="do" value="preview">Preview</button>
<a href="${isNew ? folderAddress(wiki, path.split('/').slice(0, -1).join('/')) : pageAddress(wiki, path)}">Cancel</a></p>
</form>`;
}
