import type { Context } from 'hono';
import { html } from 'hono/html';
import { fileAddress, folderAddress, pageAddress, viewAddress } from '../addresses.ts';
import type { Html } from '../layout.ts';
import type { ViewTools } from '../view-tools.ts';
import { crumbs, treeAround } from './tree.ts';
import { newPageForm } from './writing/new-page.ts';
import { wayToUpload } from './writing/ways.ts';

export async function answerFolder(
  context: Context,
  tools: ViewTools,
  wiki: string,
  folder: string,
): Promise<Response> {
  const within = folder === '' ? '' : `${folder}/`;
  const isRoot = folder === '';
  const [listed, wikis] = await Promise.all([
    tools.ask('list_folder', { wiki, folder }),
    isRoot && !tools.isStatic ? tools.ask('list_wikis', {}).then((found) => found.wikis) : [],
  ]);
  const title = folder === '' ? `Pages of ${wiki}` : (folder.split('/').at(-1) ?? folder);
  const { folders, pages, files } = listed;
  const isEmpty = folders.length + pages.length + files.length === 0;
  const main = html`${folder === '' ? '' : crumbs(wiki, folder)}
<h1>${title}</h1>
${isEmpty ? html`<p>Nothing is here yet.</p>` : ''}
${list('Folders', folders, (name) => folderAddress(wiki, within + name))}
${list('Pages', pages, (name) => pageAddress(wiki, within + name))}
${list('Files', files, (name) => fileAddress(wiki, within + name))}
${list(
  'Other wikis',
  wikis.filter((name) => name !== wiki),
  (name) => `/${name}`,
)}
${tools.mayChange(wiki, within) ? newPageForm(wiki, within) : ''}
<ul class="ways"><li>${
    tools.isStatic
      ? html`<a href="${viewAddress(wiki, 'pages')}">All pages of this wiki</a>`
      : html`<a href="${viewAddress(wiki, 'search', { folder: within })}">Search ${
          folder === '' ? 'this wiki' : 'in this folder'
        }</a>`
  }</li>
${wayToUpload(tools, wiki, within)}</ul>`;
  const tree = isRoot ? undefined : treeAround(wiki, within, listed.around);
  return tools.answer(context, { wiki, title, main, tree }, listed.commit);
}

function list(title: string, names: readonly string[], address: (name: string) => string): Html | '' {
  if (names.length === 0) return '';
  return html`<h2>${title}</h2>
<ul class="names">${names.map(
    (name) => html`<li><a href="${address(name)}">${name}</a></li>
`,
  )}</ul>`;
}
