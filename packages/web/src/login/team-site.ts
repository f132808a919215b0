import type { Access } from '@pagetree/access/parse-access';
import type { Person } from '@pagetree/access/rights';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import { HTTPException } from 'hono/http-exception';
import type { Agents } from '../clients/agents.ts';
import type { SessionPages } from '../clients/session-pages.ts';
import { GIT_ADDRESS } from '../git/late-git.ts';
import { addAssets, ownParts } from '../site/assets.ts';
import { onlyFor, openable, secured } from '../site/headers.ts';
import type { SignedIn } from '../site/layout.ts';
import { openedOnce } from '../site/opened-once.ts';
import { isOfPerson } from '../site/routes.ts';
import { createSharedParts, type SharedParts, type Site } from '../site/site.ts';
import { type RequestSurroundings, sentOf } from '../site/surroundings.ts';
import { type Endpoint, pageMaker } from '../site/view-tools.ts';
import type { Audit } from './audit.ts';
import { loginCookies } from './cookies.ts';
import type { Issuer, IssuerSettings } from './issuer.ts';
import { expiredSheet } from './login-pages.ts';
import { CALLBACK_ADDRESS, type LoginParts, loginAddress, loginRoutes } from './login-routes.ts';
import { PendingLogins } from './pending-logins.ts';
import { personDigest } from './person.ts';
import { PersonSites, type TeamPages } from './person-sites.ts';
import { Sealer } from './sealer.ts';
import { type EndedSessions, formProof, type Session, Sessions } from './sessions.ts';

export interface TeamSiteOptions {
  /** `hosts` and `origin` follow from `origin`. */
  pages: Omit<TeamPages, 'hosts' | 'origin'>;
  /** The origin of these pages in the browser, as `https://wiki.example.org`. */
  origin: string;
  issuer: Omit<IssuerSettings, 'callback' | 'clientSecret'>;
  /** Read at the first login; null if the issuer knows us without one. */
  clientSecret(): Promise<string | null>;
  defaultWiki: string | null;
  /** The rules as they are now. */
  access(): Access;
  audit: Audit;
  /** 32 bytes. Each process with the same key takes the sessions of the others. */
  key: Uint8Array;
  ended: EndedSessions;
  /** In milliseconds since 1970. */
  now(): number;
  clients: TeamClients;
  /** Parts that are ready before the first request. By default they are made here. */
  shared?: SharedParts;
}

/** The clients that act for people. */
export interface TeamClients {
  agents: Pick<Agents, 'fetch' | 'close'>;
  /** Native git, by the tokens of people. */
  git: Pick<Endpoint, 'fetch'>;
  /** Called with each person who logs in. */
  remember(person: Person): Promise<void>;
  /** True if the clients of the person have no other rights than by this description. */
  isUnchanged(person: Person): Promise<boolean>;
  /** The addresses by which people and clients see to them. */
  routes(pages: SessionPages): Hono;
}

/** The pages for people who log in, each with the own rights. */
export interface TeamSite extends Site {
  /** Ends every stream: those who may still see something open theirs again. */
  accessChanged(): void;
}

export function createTeamSite(options: TeamSiteOptions): TeamSite {
  const { origin, access, audit, now, clients, shared = createSharedParts({}) } = options;
  const pages = { ...options.pages, origin, hosts: [new URL(origin).host] };
  const sealer = new Sealer(options.key, now, options.issuer.issuer);
  const sessions = new Sessions(sealer, options.ended, now);
  const cookies = loginCookies(origin);
  const sites = new PersonSites({ pages, defaultWiki: options.defaultWiki, audit, shared });
  const streams = new Streams();
  const page = pageMaker(pages);
  const show: LoginParts['show'] = async (context, sheet, status) =>
    context.html(String(await page(sheet)), status, { 'Cache-Control': 'no-store' });

  const app = new Hono();
  app.use(onlyFor(pages.hosts, origin), strictTransport(origin), secured(ownParts(pages)));
  app.use('/_/login/*', openable()).use('/_/oauth/*', openable());
  app.onError((error, context) => {
    if (error instanceof HTTPException) return error.getResponse();
    pages.log(`${context.req.method} of a login page: ${error.message}`);
    return context.text('Something went wrong here. Try again.\n', 500, { 'Cache-Control': 'no-store' });
  });
  addAssets(app, pages);
  // A person who opens the address is shown the wiki of that name, if there is one.
  app.all('/mcp', async (context, next) => {
    if (!isOfPerson(context)) return clients.agents.fetch(context.req.raw, sentOf(context));
    return next();
  });
  // Before the sessions: git comes with a token, and no cookie counts.
  app.all(GIT_ADDRESS, async (context, next) => {
    if (!isOfPerson(context)) return clients.git.fetch(context.req.raw, sentOf(context));
    return next();
  });
  const login = loginRoutes({
    origin,
    issuerAddress: options.issuer.issuer,
    issuer: lateIssuer(options, origin + CALLBACK_ADDRESS),
    sessions,
    pending: new PendingLogins(sealer, now, cookies.pendingPrefix),
    cookies,
    access,
    audit,
    begun: async (person) => {
      try {
        await clients.remember(person);
        return true;
      } catch (error) {
        pages.log(
          `a login was not noted for clients: ${error instanceof Error ? error.message : String(error)}`,
        );
        // Then the clients stop some day, which is no reason to let nobody in. But none may keep rights that are lost.
        return clients.isUnchanged(person).catch(() => false);
      }
    },
    ended: (session) => {
      sites.forget(session);
      streams.end(session.id);
    },
    show,
    log: pages.log,
  });
  app.route('/', login);
  const ofClients = clients.routes({
    sessionOf: (context) => sessions.open(getCookie(context, cookies.session)),
    signedIn,
    show: async (context, sheet, person, status) =>
      context.html(String(await pageMaker({ ...pages, person })(sheet)), status, {
        'Cache-Control': 'no-store',
        // With `no-referrer` the browser sends forms with `Origin: null`, as a foreign page could.
        'Referrer-Policy': 'same-origin',
      }),
  });
  app.route('/', ofClients);
  app.all('*', async (context) => {
    const session = await sessions.open(getCookie(context, cookies.session));
    if (session === null) return loggedOut(context, show);
    const isStream = STREAM.test(context.req.path);
    const { raw } = context.req;
    const until = isStream ? streams.begin(session.id, sessions.leftMs(session), raw.signal) : undefined;
    const answer = await sites.of(session, access()).fetch(raw, sentOf(context), until);
    if (raw.method === 'POST' && answer.status === 403) {
      const { issuer, subject } = session.person;
      audit({ event: 'form refused', person: { issuer, subject } });
    }
    context.res = personal(answer);
    // A stream is opened again by the browser: that is no use by a person.
    const renewed = isStream ? null : await sessions.renew(session);
    if (renewed !== null) cookies.set(context, cookies.session, renewed);
    return context.res;
  });
  return {
    fetch: async (request, sent = Promise.resolve()) =>
      app.fetch(request, { sent, until: undefined, origin, person: undefined } satisfies RequestSurroundings),
    warm: () => shared.rendered.warm(),
    end: async () => {
      streams.endAll();
      await clients.agents.close();
    },
    accessChanged: () => streams.endAll(),
  };
}

/** Loaded at the first login: a person with a session does not need it. */
function lateIssuer(
  { issuer, clientSecret }: Pick<TeamSiteOptions, 'issuer' | 'clientSecret'>,
  callback: string,
): () => Promise<Issuer> {
  return openedOnce(async () => {
    const [{ openIssuer }, secret] = await Promise.all([import('./issuer.ts'), clientSecret()]);
    return openIssuer({ ...issuer, callback, clientSecret: secret });
  });
}

/** The person as pages show them that concern no wiki. */
function signedIn(session: Session): SignedIn {
  const { person } = session;
  const token = formProof(session, 'sign out');
  return { name: person.name, token, digest: personDigest(person) };
}

/** A page leads to the login; nothing else does, as no person would see it. */
function loggedOut(context: Context, show: LoginParts['show']): Response | Promise<Response> {
  const { method, url } = context.req;
  // Scripts ask for pages too, and would follow.
  const isSeen =
    (context.req.header('accept') ?? '').includes('text/html') &&
    (context.req.header('sec-fetch-mode') ?? 'navigate') === 'navigate';
  context.header('Cache-Control', 'no-store');
  if (isSeen && method === 'POST') return show(context, expiredSheet(loginAddress('/')), 401);
  if (!isSeen || method !== 'GET') return context.text(LOGGED_OUT, 401);
  const { pathname, search } = new URL(url);
  return context.redirect(loginAddress(pathname + search), 303);
}

/** Nothing that a person was shown may be shown to the next one, by no cache. */
function personal(answer: Response): Response {
  const { status, statusText, body } = answer;
  const headers = new Headers(answer.headers);
  const control = headers.get('Cache-Control') ?? 'no-store';
  headers.set('Cache-Control', control.startsWith('no-store') ? control : 'private, no-cache');
  headers.append('Vary', 'Cookie');
  // With `no-referrer` the browser sends the form that signs out with `Origin: null`, as a foreign page could.
  headers.set('Referrer-Policy', 'same-origin');
  return new Response(body, { status, statusText, headers });
}

function strictTransport(origin: string): MiddlewareHandler {
  return async (context, next) => {
    await next();
    if (origin.startsWith('https:')) context.res.headers.set('Strict-Transport-Security', 'max-age=31536000');
  };
}

/** The streams of each session, and their ends. */
class Streams {
  readonly #open = new Map<string, Set<AbortController>>();

  /** Returns the signal that ends the stream. `left` aborts when its client has left. */
  begin(id: string, leftMs: number, left: AbortSignal): AbortSignal {
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(), Math.max(0, Math.min(leftMs, MAX_STREAM_MS)));
    timer.unref();
    left.addEventListener('abort', () => ending.abort(), { once: true });
    const all = this.#open.get(id) ?? new Set();
    const [oldest] = all;
    if (all.size >= MAX_STREAMS) oldest?.abort();
    this.#open.set(id, all.add(ending));
    ending.signal.addEventListener('abort', () => {
      clearTimeout(timer);
      all.delete(ending);
      if (all.size === 0) this.#open.delete(id);
    });
    return ending.signal;
  }

  end(id: string): void {
    for (const ending of [...(this.#open.get(id) ?? [])]) ending.abort();
  }

  endAll(): void {
    for (const id of [...this.#open.keys()]) this.end(id);
  }
}

const STREAM = /^\/_\/(?:[a-z0-9-]+\/)?live$/;
/** The browser opens it again, with the rights of then. */
const MAX_STREAM_MS = 4 * 60_000;
/** One session cannot take all streams from the others. */
const MAX_STREAMS = 20;
const LOGGED_OUT = 'You are not logged in. Load the page again to log in.\n';
