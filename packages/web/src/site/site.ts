import { toWikiError } from '@pagetree/wiki/contract';
import { Hono, type MiddlewareHandler } from 'hono';
import { GIT_ADDRESS } from '../git/late-git.ts';
import { folderAddress, liveAddress, NOW_ADDRESS, pageAddress } from './addresses.ts';
import { addAssets, ownParts } from './assets.ts';
import { answerError } from './error-page.ts';
import { onlyFor, secured } from './headers.ts';
import { Live } from './live/live.ts';
import { onlyOwnPosts } from './posts/own-posts.ts';
import { Room } from './room.ts';
import { isOfPerson, WIKI, wikiIn, withPath } from './routes.ts';
import { type RequestSurroundings, sentOf } from './surroundings.ts';
import {
  createSharedTools,
  createViewTools,
  type SharedTools,
  type SiteOptions,
  type ViewTools,
} from './view-tools.ts';
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
  /**
   * `sent` resolves when the answer has left the process, or cannot; by default it is not waited for. A stream of events
   * ends when `until` aborts.
   */
  fetch(request: Request, sent?: Promise<unknown>, until?: AbortSignal): Promise<Response>;
  /** Starts what the first page needs. Not necessary. */
  warm(): Promise<void>;
  /** Ends the streams of events, which would never end by themselves, and answers the agents whose requests run. */
  end(): Promise<void>;
}

/** The parts that the sites of one process share, so that all of them together are bounded. */
export interface SharedParts extends SharedTools {
  readonly graphs: KeptGraphs;
  /** The bytes of large answers that wait for their clients to read them. */
  readonly unread: Room;
  /** The pages that are made at once. */
  readonly turns: Room;
  /** The streams of all who see the same. Without it a site has its own. */
  readonly live?: Live;
}

/** `rendered` may have been begun before the rest. */
export function createSharedParts(
  options: Pick<SiteOptions, 'isStatic'>,
  rendered?: SharedTools['rendered'],
): SharedParts {
  return {
    ...createSharedTools(options, rendered),
    graphs: new KeptGraphs(),
    unread: new Room(MAX_UNREAD_BYTES),
    turns: new Room(MAX_MADE),
  };
}

export function createSite(options: SiteOptions, shared = createSharedParts(options)): Site {
  const tools = createViewTools(options, shared);
  const app = new Hono();
  const { mcp, git } = options;
  // Before the checks of what browsers send. A person who opens the address is shown the wiki of that name, if there is one.
  if (mcp !== undefined) {
    app.all('/mcp', (context, next) =>
      isOfPerson(context) ? next() : mcp.fetch(context.req.raw, sentOf(context)),
    );
  }
  // It reads the bodies of pushes and sends packs in parts, so that it comes before what reads forms and answers whole.
  if (git !== undefined) {
    app.all(GIT_ADDRESS, (context, next) =>
      isOfPerson(context) ? next() : git.fetch(context.req.raw, sentOf(context)),
    );
  }
  if (options.isForAgentsAlone === true) app.all('*', (context) => context.text(ONLY_AGENTS, 404));
  app.use(onlyFor(options.hosts, options.origin), secured(ownParts(options)), onlyOwnPosts(tools));
  app.onError((error, context) => answerError(context, tools, toWikiError(error)));

  // Before the others: it makes its own room in memory.
  app.get(`/_/${WIKI}/files/*`, (context) => {
    const wiki = wikiIn(context);
    return withPath(context, tools, `/_/${wiki}/files/`, (path) => answerFile(context, tools, wiki, path));
  });
  // Not a part of any room: a stream does not end, and holds nothing.
  const { pause } = options;
  const live = shared.live ?? (pause === undefined ? null : new Live(tools, pause));
  if (live !== null) {
    // Streams that sites share ask by themselves: each person is let in by the own rights, and that is logged.
    app.get(liveAddress(), async (context) => {
      if (shared.live !== undefined) await tools.ask('list_wikis', {});
      return live.followAll(context);
    });
    app.get(`/_/${WIKI}/live`, async (context) => {
      const wiki = wikiIn(context);
      if (shared.live !== undefined) await tools.ask('list_changed', { wiki });
      return live.followWiki(context, wiki);
    });
  }
  app.use(unreadAnswers(shared.unread));
  addAssets(app, options);
  // The assets of each page, above, do not wait for pages that take long. No person takes all turns from the others.
  if (options.person !== undefined) app.use(inTurns(new Room(MAX_MADE_FOR_ONE)));
  app.use(inTurns(shared.turns));
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
  const { graphs } = shared;
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
    fetch: async (request, sent = Promise.resolve(), until) =>
      app.fetch(request, {
        ...{ sent, until, origin: options.origin, person: options.person?.digest },
      } satisfies RequestSurroundings),
    warm: () => tools.rendered.warm(),
    end: async () => {
      live?.end();
      await mcp?.close();
    },
  };
}

const ONLY_AGENTS =
  'With a token only /mcp and /WIKI.git are served here. Start another server without --token-file for the pages.\n';

/** Bounds the bytes of large answers that wait for their clients to read them. The kernel takes small ones. */
function unreadAnswers(unread: Room): MiddlewareHandler {
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
function inTurns(turns: Room): MiddlewareHandler {
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
const MAX_MADE_FOR_ONE = 4;
const MAX_UNREAD_BYTES = 100_000_000;
const SMALL_BYTES = 256_000;

/** The entrance of a wiki: its page Home, or its root folder. */
async function entranceOf(tools: ViewTools, wiki: string): Promise<string> {
  const root = await tools.ask('list_folder', { wiki });
  return root.pages.includes('Home') ? pageAddress(wiki, 'Home') : folderAddress(wiki, '');
}
