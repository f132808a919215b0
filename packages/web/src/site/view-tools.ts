import {
  type Author,
  type Call,
  type CallInput,
  callOperation,
  liesIn,
  type OperationName,
  type Output,
  type Scope,
  type Wiki,
  WikiError,
} from '@pagetree/wiki/contract';
import type { Context } from 'hono';
import { scriptAddress } from './addresses.ts';
import { type DiagramFrame, diagramAddress } from './diagram-frame.ts';
import { digestOf, readTag, writeTag } from './entity-tag.ts';
import { answerError, type ErrorStatus } from './error-page.ts';
import type { GraphScript } from './graph-script.ts';
import { type Html, layout, type Sheet, type SignedIn, staticLayout } from './layout.ts';
import type { Pause } from './live/wiki-watcher.ts';
import { Room } from './room.ts';
import { RenderedPages } from './views/rendered-pages.ts';

export interface SiteOptions {
  wiki: Wiki;
  /** The parts of the wiki that are shown; null for the whole. */
  scope: Scope | null;
  /** The author of what a person changes in the browser; null if nothing can be changed there. */
  author: Author | null;
  /** The accepted values of the `Host` header; the first is the one to show people. */
  hosts: readonly string[];
  /** Part of every page, so it must not have `</style` in it. */
  stylesheet: string;
  /** The script of every page. */
  script: string;
  /** The script of the pages with a form for text. */
  editor: string;
  diagrams: DiagramFrame;
  graph: GraphScript;
  /** The licenses of what others wrote of the scripts. */
  notices: () => Promise<string> | string;
  /** Changes with the code: answers of another build are not taken from a browser's cache. */
  build: string;
  log: (line: string) => void;
  /** The wait between looks for changes, for pages that follow them. Without it there are no streams, as in Lambda. */
  pause?: Pause;
  /** Answers agents at `/mcp`. */
  mcp?: Endpoint;
  /** Answers native git at `/WIKI.git`. */
  git?: Pick<Endpoint, 'fetch'>;
  /** The person who logged in: each page shows the name, and the button that signs out. */
  person?: SignedIn;
  /** The origin of these pages in the browser, if a proxy stands between. Without it: what each request says. */
  origin?: string;
  /** True if these rights let a page or file be changed. Without it `scope` says so. */
  mayWrite?: (wiki: string, path: string) => boolean;
  /** A text that is equal for equal rights, if sites share what they keep: each sees what its rights let see. */
  keptBy?: string;
  /** True if no page is shown: a proxy may lead here for agents with a token, and people have no login. */
  isForAgentsAlone?: boolean;
  /** True if the pages become files on a host that answers nothing: they lead to no view that needs a server. */
  isStatic?: true;
}

/** Answers requests by itself: it checks who may send them. */
export interface Endpoint {
  /** `sent` resolves when the answer has left the process, or cannot. The answer ends when `until` aborts. */
  fetch(request: Request, sent: Promise<unknown>, until?: AbortSignal): Promise<Response>;
  /** Ends what clients listen to, once the running requests are answered. */
  close(): Promise<void>;
}

/** The tools of every view: they call the wiki, and wrap the content. */
export interface ViewTools {
  readonly rendered: RenderedPages;
  /** The bytes of memory for files that are read or sent. */
  readonly fileBytes: Room;
  readonly log: (line: string) => void;
  /** The script that draws the graph of links. */
  readonly graph: GraphScript;
  ask<Name extends OperationName>(name: Name, input: CallInput<Name>): Promise<Output<Name>>;
  /** Runs a write as the author, without an agent. `bytes` are those of a file. */
  change<Name extends OperationName>(
    name: Name,
    input: CallInput<Name>,
    bytes?: Uint8Array,
  ): Promise<Output<Name>>;
  readonly author: Author | null;
  readonly isStatic: boolean;
  /** Part of the key of everything that is kept of the wiki: see `SiteOptions.keptBy`. */
  readonly keptBy: string;
  /** True if a person may change what lies at a path; that of a folder ends in a slash. */
  mayChange(wiki: string, path: string): boolean;
  /**
   * The facts of a file from get_attachment, and its bytes. `wants` is asked before these are read, and may decline them;
   * it is not asked by a wiki that is elsewhere.
   */
  askFile(
    asked: CallInput<'get_attachment'>,
    wants: NonNullable<Call['wantsBytes']>,
  ): Promise<{ file: Output<'get_attachment'>; bytes: Uint8Array }>;
  defaultWiki(): Promise<string>;
  /** The newest commit for which the browser has an answer, if it has one. */
  knownCommit(context: Context): string | undefined;
  unchanged(context: Context): Response;
  /**
   * The sheet as HTML, or the answer that nothing changed. Without a commit the browser does not cache it.
   */
  answer(context: Context, sheet: Sheet, commit: string | null): Promise<Response>;
  show(context: Context, sheet: Sheet, status: ErrorStatus): Promise<Response>;
  notFound(context: Context): Promise<Response> | Response;
}

/** The parts of the tools that sites of one process share, so that all of them together are bounded. */
export interface SharedTools {
  readonly rendered: RenderedPages;
  readonly fileBytes: Room;
}

export function createSharedTools(
  { isStatic }: Pick<SiteOptions, 'isStatic'>,
  rendered = isStatic ? RenderedPages.once() : new RenderedPages(),
): SharedTools {
  return { rendered, fileBytes: new Room(MAX_FILE_BYTES) };
}

export function createViewTools(options: SiteOptions, { rendered, fileBytes }: SharedTools): ViewTools {
  const { wiki, scope, author, build, log, keptBy = '' } = options;
  const page = pageMaker(options);
  const mayWrite = options.mayWrite ?? ((_, path) => scope === null || liesIn(scope.write, path));
  const call = callIn(scope);
  const tools: ViewTools = {
    rendered,
    fileBytes,
    log,
    graph: options.graph,
    ask: askerOf(wiki, scope),
    change: async <Name extends OperationName>(name: Name, input: CallInput<Name>, bytes?: Uint8Array) => {
      if (author === null) throw onlyRead();
      const caller = { author, agent: null };
      return (await callOperation(wiki, name, input, { ...call, caller, bytes })) as Output<Name>;
    },
    author,
    isStatic: options.isStatic === true,
    keptBy,
    mayChange: (wiki, path) => author !== null && mayWrite(wiki, path),
    async askFile(asked, wantsBytes) {
      let bytes: Uint8Array | null = null;
      const takeBytes = (given: Uint8Array) => {
        bytes = given;
      };
      const file = await callOperation(wiki, 'get_attachment', asked, { ...call, takeBytes, wantsBytes });
      const taken = file as Output<'get_attachment'>;
      return { file: taken, bytes: bytes ?? Buffer.from(taken.content ?? '', 'base64') };
    },
    defaultWiki: async () => (await tools.ask('wiki_status', {})).wiki,
    knownCommit: (context) => readTag(context.req.header('if-none-match'), build)?.commit,
    unchanged: (context) => context.body(null, 304, { ETag: context.req.header('if-none-match') ?? '' }),
    async answer(context, sheet, commit) {
      const body = String(await page(sheet));
      if (commit === null) return context.html(body, 200, { 'Cache-Control': 'no-store' });
      const digest = digestOf(body);
      const headers = { ETag: writeTag({ build, commit, digest }), 'Cache-Control': 'private, no-cache' };
      const known = readTag(context.req.header('if-none-match'), build);
      return known?.digest === digest ? context.body(null, 304, headers) : context.html(body, 200, headers);
    },
    show: async (context, sheet, status) =>
      context.html(String(await page(sheet)), status, { 'Cache-Control': 'no-store' }),
    notFound: (context) => answerError(context, tools, noSuchAddress()),
  };
  return tools;
}

/** Runs reads of a wiki as a visitor. */
export function askerOf(wiki: Wiki, scope: Scope | null): ViewTools['ask'] {
  const call = callIn(scope);
  return async <Name extends OperationName>(name: Name, input: CallInput<Name>) =>
    (await callOperation(wiki, name, input, call)) as Output<Name>;
}

function callIn(scope: Scope | null): Call {
  return { caller: VISITOR, scope: scope ?? undefined };
}

/** Enough to read the largest attachment while another one is sent. */
const MAX_FILE_BYTES = 150_000_000;

/** The caller of every read, which is in no commit. */
const VISITOR = { author: { name: 'A visitor', email: '' }, agent: 'pagetree-web' };

function onlyRead(): WikiError {
  return new WikiError('forbidden', {
    happened: 'These pages can only be read.',
    now: 'Nothing was changed.',
    next: 'Start the server without --read-only.',
  });
}

type PageParts = Pick<
  SiteOptions,
  'stylesheet' | 'script' | 'editor' | 'diagrams' | 'isStatic' | 'pause' | 'person'
>;

/** Makes the HTML of a sheet, with the scripts and the style sheet of these pages. */
export function pageMaker(options: PageParts): (sheet: Sheet) => Promise<Html> | Html {
  const { stylesheet, script, editor, diagrams, person } = options;
  const links = {
    stylesheet,
    script: scriptAddress(script),
    editor: scriptAddress(editor, 'editor'),
    diagrams: diagramAddress(diagrams),
  };
  return (sheet) => {
    if (options.isStatic) return staticLayout(sheet, links.diagrams);
    return layout(options.pause === undefined ? { ...sheet, live: undefined } : sheet, links, person);
  };
}

function noSuchAddress(): WikiError {
  return new WikiError('not_found', {
    happened: 'There is nothing at this address.',
    now: 'Nothing was read.',
    next: 'Go to the beginning of the wiki.',
  });
}
