import type { Output } from '@pagetree/wiki/contract';
import { html } from 'hono/html';
import { folderAddress, pageAddress } from '../addresses.ts';
import type { Html } from '../layout.ts';
import type { ViewTools } from '../view-tools.ts';

/** The folders from the root to the page, each open, with their other entries. */
export async function treeAround(tools: ViewTools, wiki: string, path: string): Promise<Html> {
  const parts = path.split('/').slice(0, -1).slice(0, MAX_DEPTH);
  const folders = ['', ...parts.map((_, index) => parts.slice(0, index + 1).join('/'))];
  // A page of the past may lie in a folder that is gone.
  const levels = await Promise.all(
    folders.map((folder) => tools.ask('list_folder', { wiki, folder }).catch(() => null)),
  );
  return html`<h2><a href="${folderAddress(wiki, '')}">Pages</a></h2>${branch(wiki, path, folders, levels, 0)}`;
}

type Level = Output<'list_folder'> | null;

function branch(
  wiki: string,
  path: string,
  folders: readonly string[],
  levels: readonly Level[],
  depth: number,
): Html | '' {
  const level = levels[depth];
  const folder = folders[depth];
  if (level == null || folder === undefined) return '';
  const within = (name: string) => (folder === '' ? name : `${folder}/${name}`);
  const open = folders[depth + 1];
  const shownPages = around(level.pages, (name) => within(name) === path);
  const shownFolders = around(level.folders, (name) => within(name) === open);
  const left = level.pages.length + level.folders.length - shownPages.length - shownFolders.length;
  return html`<ul>
${shownFolders.map(
  (name) => html`<li class="folder"><a href="${folderAddress(wiki, within(name))}">${name}</a>${
    within(name) === open ? branch(wiki, path, folders, levels, depth + 1) : ''
  }</li>
`,
)}${shownPages.map(
  (name) => html`<li><a href="${pageAddress(wiki, within(name))}"${
    within(name) === path ? html` aria-current="page"` : ''
  }>${name}</a></li>
`,
)}${left === 0 ? '' : html`<li class="more"><a href="${folderAddress(wiki, folder)}">${left} more</a></li>`}</ul>`;
}

/** The first names, or those around the open one: a folder may contain thousands. */
function around(names: readonly string[], isOpen: (name: string) => boolean): readonly string[] {
  if (names.length <= MAX_SHOWN) return names;
  const start = Math.max(0, names.findIndex(isOpen) - MAX_SHOWN / 2);
  return names.slice(start, start + MAX_SHOWN);
}

const MAX_SHOWN = 60;
/** Each level is a call. An address may name 2,000 of them. */
const MAX_DEPTH = 30;

/** The path from the root to a page or folder; the last part is the title, which is shown below. */
export function crumbs(wiki: string, path: string): Html {
  const parts = path.split('/').slice(0, -1);
  return html`<nav class="crumbs" aria-label="Where this page lies"><ol>
<li><a href="${folderAddress(wiki, '')}">${wiki}</a></li>
${parts.map((part, index) => html`<li><a href="${folderAddress(wiki, parts.slice(0, index + 1).join('/'))}">${part}</a></li>`)}
</ol></nav>`;
}
