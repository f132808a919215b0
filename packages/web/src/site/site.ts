import { toWikiError } from '@pagetree/wiki/contract';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import {
  folderAddress,
  liveAddress,
  NOTICES_ADDRESS,
  NOW_ADDRESS,
  pageAddress,
  scriptAddress,
} from './addresses.ts';
import { diagramAddress, diagramPolicy } from './diagram-frame.ts';
import { answerError } from './error-page.ts';
import { graphScriptAddress } from './graph-script.ts';
import { onlyFor, secured } from './headers.ts';
import { Live } from './live/live.ts';
import { onlyOwnPosts } from './posts/own-posts.ts';
import { Room, sentOf } from './room.ts';
import { WIKI, wikiIn, withPath } from './routes.ts';
import { createViewTools, type SiteOptions, type ViewTools } from './view-tools.ts';
import { answerFile } from './views/file.ts';
import { answerFolder } from './views/folder.ts';
import { answerGraph, answerGraphData } from './views/graph/graph.ts';
import { KeptGraphs } from './views/graph/kept-graphs.ts';
import { answerChanges } from './views/history/changes.ts';
import { answerCommit } from './views/history/commit.ts';
import { answerNow } from './views/now.ts';
import { answerPage } from './views/page.ts';
import { answerProblems } from './views/problems.ts';
import { answerSearch } from './views/search.ts';
import { answerAllPages, answerStaticSearch } from './views/static-views.ts';
import { answerTags } from './views/tags.ts';
import { addWriting } from './views/writing/routes.ts';

/** The pages of a wiki for people. */
export interface Site {
  /** `sent` resolves when the answer has left the process, or cannot; by default it is not waited for. */
  fetch(request: Request, sent?: Promise<unknown>): Promise<Response>;
  /** Starts what the first page needs. Not necessary. */
  warm(): Promise<void>;
  /** Ends the streams of events, which would never end by themselves, and answers the agents whose requests run. */
  end(): Promise<void>;
}

export function createSite(options: SiteOptions): Site {
  const tools = createViewTools(options);
  const app = new Hono();
  const scriptPath = scriptAddress(options.script);
  const editorPath = scriptAddress(options.editor, 'editor');
  const diagramPath = diagramAddress(options.diagrams);
  const own = { script: scriptPath, editor: editorPath, frame: diagramPath, stylesheet: options.stylesheet };
  const { mcp } = options;
  // Before the checks of what browsers send. A person who opens the address is shown the wiki of that name, if there is one.
  if (mcp !== undefined) {
    app.all('/mcp', (context, next) =>
      isOfPerson(context) ? next() : mcp.fetch(context.req.raw, sentOf(context)),
    );
  }
  if (options.isForAgentsAlone === true) app.all('*', (context) => context.text(ONLY_AGENTS, 404));
  app.use(onlyFor(options.hosts), secured(own), onlyOwnPosts(tools));
  app.onError((error, context) => answerError(context, tools, toWikiError(error)));

  // Before the others: it makes its own room in memory.
  app.get(`/_/${WIKI}/files/*`, (context) => {
    const wiki = wikiIn(context);
    return withPath(context, tools, `/_/${wiki}/files/`, (path) => answerFile(context, tools, wiki, path));
  });
  // Not a part of any room: a stream does not end, and holds nothing.
  const live = options.pause === undefined ? null : new Live(tools, options.pause);
  if (live !== null) {
    app.get(liveAddress(), (context) => live.followAll(context));
    app.get(`/_/${WIKI}/live`, (context) => live.followWiki(context, wikiIn(context)));
  }
  app.use(unreadAnswers());
  const scripts = [
    [scriptPath, () => options.script],
    [editorPath, () => options.editor],
    [graphScriptAddress(options.graph), () => options.graph.text()],
  ] as const;
  for (const [path, text] of scripts) {
    app.get(path, (context) =>
      context.body(text(), 200, {
        'Content-Type': 'text/javascript; charset=utf-8',
        'Cache-Control': 'public, max-age=31536000, immutable',
      }),
    );
  }
  app.get(diagramPath, (context) =>
    context.html(options.diagrams.html(), 200, {
      'Content-Security-Policy': diagramPolicy(options.diagrams, context.req.header('host') ?? ''),
      'Cache-Control': 'public, max-age=31536000, immutable',
    }),
  );
  app.get(NOTICES_ADDRESS, async (context) => context.text(await options.notices()));
  // Browsers ask for it by themselves.
  app.get('/favicon.ico', (context) => context.body(null, 204, { 'Cache-Control': 'public, max-age=86400' }));
  // What each page needs does not wait for pages that take long.
  app.use(inTurns());
  app.get('/', async (context) => context.redirect(`/${await tools.defaultWiki()}`));
  app.get(NOW_ADDRESS, (context) => answerNow(context, tools));
  app.get(`/_/${WIKI}/search`, (context) =>
    tools.isStatic
      ? answerStaticSearch(context, tools, wikiIn(context))
      : answerSearch(context, tools, wikiIn(context)),
  );
  if (tools.isStatic) {
    app.get(`/_/${WIKI}/pages`, (context) => answerAllPages(context, tools, wikiIn(context)));
  }
  app.get(`/_/${WIKI}/changes`, (context) => answerChanges(context, tools, wikiIn(context)));
  app.get(`/_/${WIKI}/commits/:commit`, (context) =>
    answerCommit(context, tools, wikiIn(context), context.req.param('commit')),
  );
  app.get(`/_/${WIKI}/tags`, (context) => answerTags(context, tools, wikiIn(context)));
  app.get(`/_/${WIKI}/problems`, (context) => answerProblems(context, tools, wikiIn(context)));
  const graphs = new KeptGraphs();
  app.get(`/_/${WIKI}/graph`, (context) => answerGraph(context, tools, graphs, wikiIn(context)));
  app.get(`/_/${WIKI}/graph.json`, (context) => answerGraphData(context, tools, graphs, wikiIn(context)));
  addWriting(app, tools);
  app.get(`/${WIKI}`, async (context) => context.redirect(await entranceOf(tools, wikiIn(context))));
  app.get(`/${WIKI}/*`, (context) => {
    const wiki = wikiIn(context);
    return withPath(context, tools, `/${wiki}/`, (path) =>
      path === '' || path.endsWith('/')
        ? answerFolder(context, tools, wiki, path.slice(0, -1))
        : answerPage(context, tools, wiki, path),
    );
  });
  app.notFound((context) => tools.notFound(context));
  return {
    fetch: async (request, sent = Promise.resolve()) => app.fetch(request, { sent }),
    warm: () => tools.rendered.warm(),
    end: async () => {
      live?.end();
      await mcp?.close();
    },
  };
}

const ONLY_AGENTS =
  'With a token only /mcp is served here. Start another server without --token-file for the pages.\n';

function isOfPerson({ req }: Context): boolean {
  return req.method === 'GET' && (req.header('accept') ?? '').includes('text/html');
}

/** Bounds the bytes of large answers that wait for their clients to read them. The kernel takes small ones. */
function unreadAnswers(): MiddlewareHandler {
  const unread = new Room(MAX_UNREAD_BYTES);
  return async (context, next) => {
    await next();
    const { status, body, headers } = context.res;
    if (body === null) return;
    const bytes = await context.res.arrayBuffer();
    if (bytes.byteLength > SMALL_BYTES) {
      const share = unread.takeIfFree(bytes.byteLength);
      void sentOf(context).then(() => share.keep(0));
    }
    context.res = new Response(bytes, { status, headers });
  };
}

/** Bounds how many pages are made at once: one of 2 MB, or the comparison of two, takes many times as much memory. */
function inTurns(): MiddlewareHandler {
  const turns = new Room(MAX_MADE);
  return async (context, next) => {
    const turn = await turns.take(1, context.req.raw.signal);
    try {
      await next();
    } finally {
      turn.keep(0);
    }
  };
}

const MAX_MADE = 8;
const MAX_UNREAD_BYTES = 100_000_000;
const SMALL_BYTES = 256_000;

/** The entrance of a wiki: its page Home, or its root folder. */
async function entranceOf(tools: ViewTools, wiki: string): Promise<string> {
  const root = await tools.ask('list_folder', { wiki });
  return root.pages.includes('Home') ? pageAddress(wiki, 'Home') : folderAddress(wiki, '');
}
