import type { Output } from '@pagetree/wiki/contract';
import { html } from 'hono/html';
import { folderAddress, pageAddress } from '../addresses.ts';
import type { Html } from '../layout.ts';

type Levels = Output<'list_folder'>['around'];

/** The folders from the root to the page, each open, with their other entries. A function of an older version gives none. */
export function treeAround(wiki: string, path: string, levels: Levels): Html | undefined {
  if (levels === undefined) return undefined;
  return html`<h2><a href="${folderAddress(wiki, '')}">Pages</a></h2>${branch(wiki, path.split('/'), levels, 0)}`;
}

function branch(
  wiki: string,
  parts: readonly string[],
  levels: NonNullable<Levels>,
  depth: number,
): Html | '' {
  const level = levels[depth];
  if (level === undefined) return '';
  const folder = parts.slice(0, depth).join('/');
  const within = (name: string) => (folder === '' ? name : `${folder}/${name}`);
  const isLast = depth === parts.length - 1;
  return html`<ul>
${level.folders.map(
  (name) => html`<li class="folder"><a href="${folderAddress(wiki, within(name))}">${name}</a>${
    !isLast && name === parts[depth] ? branch(wiki, parts, levels, depth + 1) : ''
  }</li>
`,
)}${level.pages.map(
  (name) => html`<li><a href="${pageAddress(wiki, within(name))}"${
    isLast && name === parts[depth] ? html` aria-current="page"` : ''
  }>${name}</a></li>
`,
)}${level.more === 0 ? '' : html`<li class="more"><a href="${folderAddress(wiki, folder)}">${level.more} more</a></li>`}</ul>`;
}

/** The path from the root to a page or folder; the last part is the title, which is shown below. */
export function crumbs(wiki: string, path: string): Html {
  const parts = path.split('/').slice(0, -1);
  return html`<nav class="crumbs" aria-label="Where this page lies"><ol>
<li><a href="${folderAddress(wiki, '')}">${wiki}</a></li>
${parts.map((part, index) => html`<li><a href="${folderAddress(wiki, parts.slice(0, index + 1).join('/'))}">${part}</a></li>`)}
</ol></nav>`;
}
