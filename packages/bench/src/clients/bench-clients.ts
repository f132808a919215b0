import { join } from 'node:path';
import { freePort } from '../../../../labs/free-port.ts';
import { HttpClient2 } from '../../../mcp-server/test/http/http-clients.ts';
import { TestBrowser } from '../../../web/test/login/browser.ts';
import { prepareTeam } from '../../../web/test/login/served-team.ts';
import { walkIssuer } from '../../../web/test/login/walk-issuer.ts';
import { OAuthClient, openConsent, proofIn } from '../../../web/test/oauth/oauth-client.ts';
import { ServedWeb } from '../../../web/test/served-web.ts';
import { git } from '../../../wiki/test/native-git.ts';
import { table } from '../markdown-table.ts';
import { readOptions } from '../options.ts';
import { percentile } from '../percentile.ts';

/**
 * `pnpm bench clients [--people N] [--clients N] [--seconds N]`: clients of MCP that people connected by OAuth, which write
 * and read at once. Native git says whose each commit is; a folder of each person says whose rights each answer has.
 */
export async function benchClients(args: readonly string[]): Promise<string> {
  const values = readOptions('clients', args, {
    people: { type: 'string', default: '10' },
    clients: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '120' },
  });
  const [people = 0, clients = 0, seconds = 0] = Object.entries(values).map(([name, value]) => {
    if (!/^[1-9]\d{0,3}$/.test(value)) throw new Error(`--${name} takes a whole number from 1 to 9999.`);
    return Number(value);
  });
  // More are not let in within an hour.
  if (clients > MAX_CLIENTS) throw new Error(`--clients takes at most ${MAX_CLIENTS}.`);
  let endsAt = 0;
  const measured = await measureClients({
    ...{ people, clients },
    began: () => {
      endsAt = Date.now() + seconds * 1_000;
    },
    goesOn: () => Date.now() < endsAt,
  });
  return reportClients(measured, seconds);
}

export interface MeasuredClients {
  clients: number;
  people: number;
  /** Pages whose write was acknowledged. */
  acknowledged: number;
  /** Pages of these that are not in the newest commit. */
  lost: string[];
  /** Commits that name another person or another client than the one that wrote. */
  byOthers: string[];
  /** Answers that only somebody else may have, or that are not what the client wrote. */
  foreign: string[];
  /** Calls that failed otherwise. */
  failed: string[];
  /** In milliseconds. */
  times: number[];
}

interface Size {
  people: number;
  clients: number;
  /** Called when all clients are connected. */
  began?(): void;
  goesOn(done: number): boolean;
}

export async function measureClients({ people, clients, began, goesOn }: Size): Promise<MeasuredClients> {
  const ends: (() => unknown)[] = [];
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const names = Array.from({ length: people }, (_, at) => `person${at}`);
  const rules = names.map((name) => ({
    ...{ people: [`sub:${name}`], wikis: ['main'], folders: [`Of ${name}/`], may: 'write' },
  }));
  try {
    const team = await prepareTeam(rules, { port, origin, atEnd: (end) => ends.push(end) });
    const web = new ServedWeb(['--dir', team.wikis, ...team.args]);
    ends.push(() => web.stop());
    await web.address();
    const browsers = await Promise.all(names.map((name) => logIn(origin, port, name)));
    const connected: Connected[] = [];
    for (let at = 0; at < clients; at += 1) {
      const [person = '', browser] = [names[at % people], browsers[at % people]];
      if (browser === undefined) continue;
      connected.push({ name: `client-${at}`, person, token: await connect(origin, port, browser) });
    }
    const measured: MeasuredClients = {
      ...{ clients, people, acknowledged: 0, lost: [], byOthers: [], foreign: [], failed: [], times: [] },
    };
    began?.();
    const written = (
      await Promise.all(connected.map((client) => run(client, { origin, names, goesOn, measured })))
    ).flat();
    measured.acknowledged = written.length;
    judge(join(team.wikis, 'main.git'), written, measured);
    return measured;
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

interface Connected {
  name: string;
  person: string;
  token: string;
}

interface Written extends Pick<Connected, 'name' | 'person'> {
  path: string;
}

async function run(
  { name, person, token }: Connected,
  around: {
    origin: string;
    names: readonly string[];
    goesOn(done: number): boolean;
    measured: MeasuredClients;
  },
): Promise<Written[]> {
  const { origin, names, goesOn, measured } = around;
  const client = new HttpClient2({ pin: '2026-07-28' }, { name, version: '1' });
  await client.connect(`${origin}/mcp`, { requestInit: { headers: { Authorization: `Bearer ${token}` } } });
  const call = async (tool: string, input: Record<string, unknown>) => {
    const began = performance.now();
    const result = await client.call(tool, input);
    measured.times.push(performance.now() - began);
    const [first] = result.content as { text?: string }[];
    return { isError: result.isError === true, text: first?.text ?? '' };
  };
  const written: Written[] = [];
  for (let done = 0; goesOn(done); done += 1) {
    const path = `Of ${person}/${name} ${done}`;
    const content = `${name} of ${person}, ${done}\n`;
    const wrote = await call('write_page', { path, content });
    if (wrote.isError) measured.failed.push(`${path}: ${wrote.text}`);
    else written.push({ path, name, person });
    const own = await call('read_page', { path });
    if (!own.text.includes(content.trim())) measured.foreign.push(`${name} read at ${path}: ${own.text}`);
    const other = names[(names.indexOf(person) + 1 + (done % (names.length - 1 || 1))) % names.length];
    if (other === person) continue;
    const foreign = await call('read_page', { path: `Of ${other}/client-0 0` });
    if (!foreign.isError) measured.foreign.push(`${name} of ${person} read a page of ${other}`);
    const listed = await call('list_pages', { limit: 5 });
    if (listed.text.includes(`Of ${other}/`))
      measured.foreign.push(`${name} of ${person} saw the folder of ${other}`);
  }
  await client.client.close();
  return written;
}

/** Compares what was acknowledged with what native git has. */
function judge(repository: string, written: readonly Written[], measured: MeasuredClients): void {
  const log = git(repository, ['log', '--format=%x00%an%x1f%B', '--name-only', 'main']);
  const by = new Map<string, string>();
  for (const entry of log.split('\0').slice(1)) {
    const [author = '', rest = ''] = entry.split('\x1f');
    const agent = /^Agent: (.*)$/m.exec(rest)?.[1] ?? '';
    for (const [, path = ''] of rest.matchAll(/^(Of .*)\.md$/gm)) by.set(path, `${author}, ${agent}`);
  }
  for (const { path, name, person } of written) {
    const found = by.get(path);
    if (found === undefined) measured.lost.push(path);
    else if (found !== `${person}, ${name}/1`) measured.byOthers.push(`${path} is by ${found}`);
  }
}

async function logIn(origin: string, port: number, name: string): Promise<TestBrowser> {
  const browser = new TestBrowser(port, `localhost:${port}`);
  const begun = await browser.get('/_/login/begin?to=/');
  const landed = await browser.get((await walkIssuer(begun.location, name)).replace(origin, ''));
  if (landed.status !== 200) throw new Error(`${name} cannot log in: ${landed.status} ${landed.text}`);
  return browser;
}

/** Registers a client, consents, and returns its access token. */
async function connect(origin: string, port: number, browser: TestBrowser): Promise<string> {
  const client = new OAuthClient(port, `localhost:${port}`, origin);
  await client.register();
  const { path, page } = await openConsent(browser, client.authorizeAddress());
  const fields = { token: proofIn(page), may: 'write', where: '', do: 'allow' };
  const allowed = await browser.post(path, fields, { origin });
  const [, onward = ''] = /content="0; url=([^"]*)"/.exec(allowed.text) ?? [];
  const back = new URL((await browser.get(onward)).location);
  const { body } = await client.exchange(back.searchParams.get('code') ?? '');
  return body.access_token;
}

export function reportClients(measured: MeasuredClients, seconds: number): string {
  const { clients, people, acknowledged, lost, byOthers, foreign, failed, times } = measured;
  const at = (share: number) => `${percentile(times, share).toFixed(0)} ms`;
  const rows = [
    ['acknowledged writes', `${acknowledged}`],
    ['of these lost', `${lost.length}`],
    ['commits by another person or client', `${byOthers.length}`],
    ['answers for somebody else', `${foreign.length}`],
    ['calls that failed', `${failed.length}`],
    ['calls, p50 and p95', `${at(0.5)}, ${at(0.95)}`],
  ];
  return `${clients} clients of ${people} people for ${seconds} s, each connected by OAuth.\n\n${table(['', ''], rows)}\n`;
}

/** The clients that may register in an hour. */
const MAX_CLIENTS = 60;
