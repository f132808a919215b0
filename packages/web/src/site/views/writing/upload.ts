import { blobOidInTurns } from '@pagetree/wiki/content-hash';
import { limits, toWikiError } from '@pagetree/wiki/contract';
import type { Context } from 'hono';
import { html } from 'hono/html';
import { fileAddress, folderAddress, viewAddress } from '../../addresses.ts';
import { fieldOf, formOf } from '../../posts/own-posts.ts';
import type { ViewTools } from '../../view-tools.ts';
import { type Fault, faultOf } from './faults.ts';
import { faultNote, hiddenFields, messageField, requireForm } from './form-parts.ts';

/** Stores a file of the person's machine in a folder of the wiki. */
export async function answerUpload(context: Context, tools: ViewTools, wiki: string): Promise<Response> {
  if (context.req.method !== 'POST') {
    const { folder = '', stored = '' } = context.req.query();
    requireForm(context, tools, wiki, folder);
    return showUpload(context, tools, { wiki, folder, stored });
  }
  const form = formOf(context);
  // With a slash at its end, as rights have it: the next form is asked for by this folder.
  const folder = fieldOf(form, 'folder').trim().replace(/\/*$/, '/').replace(/^\/$/, '');
  const message = fieldOf(form, 'message').trim();
  const file = form.get('file');
  if (!(file instanceof File) || file.name === '') {
    const fault = { sentence: 'Choose a file.', status: 400 } as const;
    return showUpload(context, tools, { wiki, folder, message, fault });
  }
  const path = folder + file.name;
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const asked = { wiki, path, message: message || undefined, request_id: fieldOf(form, 'request_id') };
    const stored = await put(tools, asked, bytes, fieldOf(form, 'replace') !== '');
    return context.redirect(viewAddress(wiki, 'upload', { folder, stored }), 303);
  } catch (error) {
    return showUpload(context, tools, { wiki, folder, message, fault: faultOf(context, tools, error) });
  }
}

/** Stores the file, and returns its path. A form that is sent again finds its own file and changes nothing. */
async function put(
  tools: ViewTools,
  asked: { wiki: string; path: string; message: string | undefined; request_id: string },
  bytes: Uint8Array,
  replaces: boolean,
): Promise<string> {
  try {
    return (await tools.change('put_attachment', asked, bytes)).path;
  } catch (error) {
    const { code, data } = toWikiError(error);
    const version = String(data.version);
    if (code !== 'already_exists' || !replaces) throw error;
    if (version === (await blobOidInTurns(bytes))) return String(data.path);
    const second = { ...asked, version, request_id: `${asked.request_id}.replace` };
    return (await tools.change('put_attachment', second, bytes)).path;
  }
}

interface Shown {
  wiki: string;
  folder: string;
  message?: string;
  /** The path of the file that was stored last. */
  stored?: string;
  fault?: Fault;
}

async function showUpload(
  context: Context,
  tools: ViewTools,
  { wiki, folder, message = '', stored = '', fault }: Shown,
): Promise<Response> {
  const name = stored.split('/').at(-1) ?? '';
  const main = html`<h1>Add a file</h1>
${faultNote(fault?.sentence ?? null)}
${stored === '' ? '' : html`<p class="notice" role="status">Stored: <a href="${fileAddress(wiki, stored)}">${stored}</a>. To show it in a page, write <code>![[${name}]]</code>.</p>`}
<form class="write" method="post" enctype="multipart/form-data" action="${viewAddress(wiki, 'upload')}">
${hiddenFields(context)}
<label for="ui.file">File, of ${limits.attachmentBytes / 1_000_000} MB at most</label>
<input id="ui.file" type="file" name="file" required>
<label for="ui.folder">Folder</label>
<input id="ui.folder" name="folder" value="${folder}" autocomplete="off">
<label class="check"><input type="checkbox" name="replace" value="true"> Replace the file of this name, if there is one</label>
${messageField(message, 'Put a file')}
<p class="buttons"><button>Store</button> <a href="${folderAddress(wiki, folder.replace(/\/*$/, ''))}">Cancel</a></p>
</form>`;
  return tools.show(context, { wiki, title: 'Add a file', main }, fault?.status ?? 200);
}
