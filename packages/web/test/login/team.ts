import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Given } from '@pagetree/access/given-rights';
import { type Access, parseAccess } from '@pagetree/access/parse-access';
import type { Person } from '@pagetree/access/rights';
import type { Reaching } from '@pagetree/outbound/reaching';
import { openWiki } from '@pagetree/wiki';
import {
  type CallInput,
  callOperation,
  type OperationName,
  type Output,
  type Wiki,
} from '@pagetree/wiki/contract';
import { onTestFinished } from 'vitest';
import { RawHttp } from '../../../mcp-server/test/http/raw-http.ts';
import { agentEndpoints } from '../../src/agent-endpoints.ts';
import { serveSite } from '../../src/cli/serve.ts';
import { SqliteRecords } from '../../src/cli/sqlite-records.ts';
import { createTeamClients } from '../../src/clients/team-clients.ts';
import type { AuditEvent } from '../../src/login/audit.ts';
import { EndedInMemory, type EndedSessions } from '../../src/login/sessions.ts';
import { createTeamSite } from '../../src/login/team-site.ts';
import type { Records } from '../../src/records/records.ts';
import { fetchAs } from '../clients/fetch-as.ts';
import { type Answer, TestBrowser } from './browser.ts';
import { CLIENT, type Claims, OwnIssuer } from './own-issuer.ts';

export const HOST = 'wiki.example.org';
export const ORIGIN = `https://${HOST}`;
/** The address for agents. */
export const MCP = `${ORIGIN}/mcp`;

const WRITER = { author: { name: 'Setup', email: 'setup@example.org' }, agent: null };

const EVERYONE_WRITES = [{ everyone: true, wikis: ['*'], may: 'write' }];

interface TeamOptions {
  rules?: unknown;
  issuer?: OwnIssuer;
  key?: Uint8Array;
  ended?: EndedSessions;
  reaching?: Reaching;
  defaultWiki?: string;
  /** Stands between people and the wiki. */
  around?: (wiki: Wiki) => Wiki;
  /** In place of those in a file. */
  records?: Records;
}

/** The pages of a new wiki for people who log in at an issuer of the test, served over HTTP as behind a proxy with TLS. */
export async function openTeam({
  rules = EVERYONE_WRITES,
  key = randomBytes(32),
  around = (wiki) => wiki,
  ...given
}: TeamOptions = {}) {
  const issuer = given.issuer ?? (await OwnIssuer.open());
  const directory = mkdtempSync(join(tmpdir(), 'pagetree-team-'));
  const host = { backend: 'local', versions: {}, problems: [] };
  const opened = await openWiki({ directory, wiki: 'main', placement: 'local', host });
  const clock = { ms: Date.now() };
  const audited: AuditEvent[] = [];
  const logged: string[] = [];
  let access = accessOf(rules);
  const file = await SqliteRecords.open(join(directory, '.pagetree', 'records.sqlite'), () => clock.ms);
  const records = given.records ?? file;
  const backend = { wiki: opened.wiki, isRemote: false, place: '', watchEveryMs: 100, close: async () => {} };
  const reached = around(opened.wiki);
  const reach = {
    access: () => access,
    wikiFor: () => reached,
    defaultWiki: given.defaultWiki ?? null,
    audit: (event: AuditEvent) => void audited.push(event),
  };
  const open = agentEndpoints({ backend, canListen: true, log: (line) => void logged.push(line) });
  const clients = createTeamClients({
    ...reach,
    ...{ origin: ORIGIN, issuer: issuer.address, records, open, key },
    log: (line) => void logged.push(line),
    now: () => clock.ms,
    version: '1.2.3',
    ...(given.reaching && { reaching: given.reaching }),
  });
  const { people, tokens, gifts } = clients;
  const site = createTeamSite({
    clients,
    pages: {
      wikiFor: reach.wikiFor,
      stylesheet: '',
      script: '',
      editor: '',
      graph: { text: () => '', digest: 'none' },
      notices: () => 'Notices',
      diagrams: { html: () => '', digest: '', scripts: '' },
      build: 'b1',
      log: (line) => logged.push(line),
      pause: (milliseconds, signal) => pause(milliseconds, undefined, { signal }),
    },
    origin: ORIGIN,
    issuer: { issuer: issuer.address, clientId: CLIENT.id },
    clientSecret: async () => CLIENT.secret,
    ...reach,
    key,
    ended: given.ended ?? new EndedInMemory(() => clock.ms),
    now: () => clock.ms,
  });
  const { port, close } = await serveSite({ port: 0 }, () => site);
  onTestFinished(async () => {
    await close();
    file.close();
    await opened.close();
    rmSync(directory, { recursive: true });
  });
  return {
    issuer,
    directory,
    clock,
    audited,
    logged,
    key,
    port,
    people,
    tokens,
    gifts,
    /** A client with a new token of a person. */
    async client(person: Person, may: Given['may'] = 'write', wikis: Given['wikis'] = null) {
      await people.remember(person);
      const untilMs = clock.ms + 7 * 24 * 3_600_000;
      const made = await tokens.make(person, { name: `of ${person.name}`, given: { may, wikis }, untilMs });
      if (made === null) throw new Error('There are too many tokens.');
      const http = new RawHttp(MCP, { Authorization: `Bearer ${made.secret}` }, fetchAs(HOST, port));
      return { ...made, http };
    },
    browser: () => new TestBrowser(port, HOST),
    setRules(changed: unknown) {
      access = accessOf(changed);
      site.accessChanged();
    },
    run: async <Name extends OperationName>(name: Name, input: CallInput<Name>) =>
      (await callOperation(opened.wiki, name, input, { caller: WRITER })) as Output<Name>,
    /** A browser in which a person is logged in. */
    async loggedIn(claims: Claims = {}): Promise<TestBrowser> {
      const browser = new TestBrowser(port, HOST);
      const { status, text } = await logIn(browser, issuer, { claims });
      if (status !== 200) throw new Error(`The login failed: ${status} ${text} ${JSON.stringify(audited)}`);
      return browser;
    },
  };
}

export function accessOf(rules: unknown): Access {
  const parsed = parseAccess(JSON.stringify({ version: 1, rules }));
  if (parsed.kind === 'mistake') throw new Error(parsed.sentence);
  return parsed.access;
}

export interface LoginOptions {
  to?: string;
  claims?: Claims;
  /** The token in place of the usual one. */
  token?: (claims: Claims) => Promise<string>;
  /** Changes the answer with which the issuer sends the person back. */
  answer?: (query: URLSearchParams) => void;
}

/** Begins a login; returns the address of the issuer to which it leads. */
export async function beginLogin(browser: TestBrowser, to = '/'): Promise<URL> {
  const { status, location, text } = await browser.get(`/_/login/begin?${new URLSearchParams({ to })}`);
  if (status !== 303) throw new Error(`No login begins: ${status} ${text}`);
  return new URL(location);
}

/** The address at which the issuer sends a person back, with its query. */
export async function answerOf(address: URL, issuer: OwnIssuer, options: LoginOptions = {}): Promise<string> {
  const { claims = {}, token = (all) => issuer.sign(all), answer } = options;
  const { nonce = '', state = '' } = Object.fromEntries(address.searchParams);
  const code = issuer.grant(address, await token(issuer.claims(nonce, claims)));
  const query = new URLSearchParams({ code, state, iss: issuer.address });
  answer?.(query);
  return `/_/login/callback?${query}`;
}

/** Logs in as a browser does, without the pages of the issuer. Returns the last answer. */
export async function logIn(
  browser: TestBrowser,
  issuer: OwnIssuer,
  options: LoginOptions = {},
): Promise<Answer> {
  const address = await beginLogin(browser, options.to);
  // The issuer is another site.
  return browser.get(await answerOf(address, issuer, options), { 'sec-fetch-site': 'cross-site' });
}

/** The token of the form that signs out. */
export function signOutTokenIn(html: string): string {
  return /action="\/_\/sign-out">[\s\S]*?name="token" value="([^"]*)"/.exec(html)?.[1] ?? '';
}
