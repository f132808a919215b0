import { html, raw } from 'hono/html';
import { folderAddress, NOW_ADDRESS, viewAddress } from './addresses.ts';

export type Html = ReturnType<typeof html>;

/** One page of the site: its content and the parts beside it. */
export interface Sheet {
  /** Null if the wiki is unknown. */
  wiki: string | null;
  title: string;
  main: Html;
  /** The tree of folders beside the content. */
  tree?: Html | undefined;
  /** Parts that belong to the content, such as its outline. */
  aside?: Html | undefined;
  /** The content of the search field. */
  query?: string | undefined;
  /** Set if the view follows changes. */
  live?: LiveView | undefined;
  /** True if the page has a form for text: see allowEditor. */
  editor?: boolean;
}

export interface LiveView {
  /** The address of the stream of changes. */
  stream: string;
  /** The address of the page that is shown. Without it every change concerns the view. */
  page?: string;
}

/**
 * The style sheet is part of the page: 4 kB when compressed, and a browser that had to ask for it would paint a round
 * trip later.
 */
export function layout(
  { wiki, title, main, tree, aside, query = '', live, editor: hasEditor = false }: Sheet,
  { stylesheet, script, editor, diagrams }: Record<'stylesheet' | 'script' | 'editor' | 'diagrams', string>,
): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}${wiki === null ? '' : html` · ${wiki}`}</title>
<style>${raw(stylesheet)}</style>
<script type="module" src="${script}"></script>${
    hasEditor
      ? html`
<script type="module" src="${editor}"></script>`
      : ''
  }
</head>
<body data-diagrams="${diagrams}"${live === undefined ? '' : html` data-live="${live.stream}"`}${
    live?.page === undefined ? '' : html` data-page="${live.page}"`
  }>
<a class="skip" href="#ui.main">Skip to the content</a>
${wiki === null ? '' : banner(wiki, query)}
<div class="sheet">
${aside === undefined ? '' : html`<aside class="beside" aria-label="About this page">${aside}</aside>`}
<main id="ui.main" tabindex="-1">
${main}
</main>
${tree === undefined ? '' : html`<nav class="tree" aria-label="Folders">${tree}</nav>`}
</div>
</body>
</html>
`;
}

function banner(wiki: string, query: string): Html {
  return html`<header class="banner">
<a class="brand" href="/${wiki}">${wiki}</a>
<form class="find" role="search" action="${viewAddress(wiki, 'search')}">
<input type="search" name="q" value="${query}" aria-label="Search in this wiki" placeholder="Search" autocomplete="off">
<button>Search</button>
</form>
<nav class="views" aria-label="Wiki">
<a href="${folderAddress(wiki, '')}">Pages</a>
<a href="${viewAddress(wiki, 'changes')}">Changes</a>
<a href="${NOW_ADDRESS}">Now</a>
<a href="${viewAddress(wiki, 'tags')}">Tags</a>
<a href="${viewAddress(wiki, 'problems')}">Problems</a>
</nav>
</header>`;
}
