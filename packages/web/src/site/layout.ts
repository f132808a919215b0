import { html, raw } from 'hono/html';
import {
  CLIENTS_ADDRESS,
  folderAddress,
  NOW_ADDRESS,
  SIGN_OUT_ADDRESS,
  STATIC_SCRIPTS,
  STATIC_STYLESHEET,
  viewAddress,
} from './addresses.ts';
import { STATIC_POLICY } from './headers.ts';

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
  /** True if the page has a form for text: see `allowEditor` in `headers.ts`. */
  editor?: boolean;
  /** The script that this page needs if it is a file. */
  script?: keyof typeof STATIC_SCRIPTS | undefined;
  /** The address of one more script that this page runs: see `allowScript` in `headers.ts`. */
  ownScript?: string | undefined;
}

/** The person who is logged in. */
export interface SignedIn {
  name: string;
  /** A text that no other page knows, without which nobody is signed out. */
  token: string;
  /** Stands for the person in names of what the browser keeps for them. */
  digest: string;
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
  sheet: Sheet,
  { stylesheet, script, editor, diagrams }: Record<'stylesheet' | 'script' | 'editor' | 'diagrams', string>,
  person?: SignedIn,
): Html {
  const { live, ownScript } = sheet;
  return frame(
    sheet,
    {
      before: '',
      after: html`<style>${raw(stylesheet)}</style>
<script type="module" src="${script}"></script>${
        sheet.editor === true ? html`\n<script type="module" src="${editor}"></script>` : ''
      }${ownScript === undefined ? '' : html`\n<script type="module" src="${ownScript}"></script>`}`,
      body: html` data-diagrams="${diagrams}"${live === undefined ? '' : html` data-live="${live.stream}"`}${
        live?.page === undefined ? '' : html` data-page="${live.page}"`
      }${person === undefined ? '' : html` data-drafts="${person.digest}"`}`,
    },
    SERVED_VIEWS,
    person,
  );
}

/** A page that is a file: its policy is part of it, and it loads nothing but what it needs. */
export function staticLayout(sheet: Sheet, diagrams: string): Html {
  const { script } = sheet;
  return frame(
    sheet,
    {
      before: html`<meta http-equiv="Content-Security-Policy" content="${STATIC_POLICY}">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
`,
      after: html`<link rel="stylesheet" href="${STATIC_STYLESHEET}">${
        script === undefined ? '' : html`\n<script src="${STATIC_SCRIPTS[script]}" defer></script>`
      }`,
      body: script === 'diagrams' ? html` data-diagrams="${diagrams}"` : '',
    },
    STATIC_VIEWS,
  );
}

interface Parts {
  /** Before everything that the policy of a file is about. */
  before: Html | '';
  /** The end of the head. */
  after: Html;
  /** The attributes of the body. */
  body: Html | '';
}

function frame(
  { wiki, title, main, tree, aside, query = '' }: Sheet,
  { before, after, body }: Parts,
  views: Views,
  person?: SignedIn,
): Html {
  const signedIn = person === undefined ? '' : signedInAs(person);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${before}<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}${wiki === null ? '' : html` · ${wiki}`}</title>
${after}
</head>
<body${body}>
<a class="skip" href="#ui.main">Skip to the content</a>
${wiki === null ? signedIn : banner(wiki, query, views, signedIn)}
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

type Views = (wiki: string) => readonly (readonly [address: string, name: string])[];

function signedInAs({ name, token }: SignedIn): Html {
  return html`<form class="person" method="post" action="${SIGN_OUT_ADDRESS}">
<bdi>${name}</bdi>
<a href="${CLIENTS_ADDRESS}">Tokens</a>
<input type="hidden" name="token" value="${token}">
<button class="second">Sign out</button>
</form>`;
}

function banner(wiki: string, query: string, views: Views, signedIn: Html | ''): Html {
  return html`<header class="banner">
<a class="brand" href="/${wiki}">${wiki}</a>
<form class="find" role="search" action="${viewAddress(wiki, 'search')}">
<input type="search" name="q" value="${query}" aria-label="Search in this wiki" placeholder="Search" autocomplete="off">
<button>Search</button>
</form>
<nav class="views" aria-label="Wiki">
${views(wiki).map(([address, name]) => html`<a href="${address}">${name}</a>\n`)}</nav>${signedIn}
</header>`;
}

const SERVED_VIEWS: Views = (wiki) => [
  [folderAddress(wiki, ''), 'Pages'],
  [viewAddress(wiki, 'changes'), 'Changes'],
  [NOW_ADDRESS, 'Now'],
  [viewAddress(wiki, 'tags'), 'Tags'],
  [viewAddress(wiki, 'graph'), 'Graph'],
  [viewAddress(wiki, 'problems'), 'Problems'],
];

const STATIC_VIEWS: Views = (wiki) => [
  [folderAddress(wiki, ''), 'Pages'],
  [viewAddress(wiki, 'tags'), 'Tags'],
];
