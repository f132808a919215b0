import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { ServedWeb } from '../../../web/test/served-web.ts';
import { temporaryDirectory } from '../built-server.ts';
import { type Change, examine, openBehind } from './addresses-of-teams.ts';

type Meant = (asked: Parameters<Change>[0]) => boolean;

const passOn: Change = () => false;
const ends: (() => void | Promise<void>)[] = [];

let origin: string;
let wikis: string;
/** What the proxy does. */
let change: Change;

beforeAll(async () => {
  ({ origin, wikis } = await openBehind(
    (asked, answer) => change(asked, answer),
    (end) => ends.push(end),
  ));
});
beforeEach(() => {
  change = passOn;
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

/** A proxy that answers with this status itself where a request is meant. */
function answering(status: number, isMeant: Meant): Change {
  return (asked, answer) => {
    if (!isMeant(asked)) return false;
    asked.resume();
    answer.writeHead(status).end('<title>The proxy</title>');
    return true;
  };
}

const below =
  (path: string): Meant =>
  ({ url = '' }) =>
    url.startsWith(path);
const isPost: Meant = ({ method }) => method === 'POST';

/** A proxy that takes this header out of requests. */
function without(name: string): Change {
  return ({ headers }) => {
    delete headers[name];
    return false;
  };
}

test('a proxy that passes everything on has no fault, and nothing is left behind', async () => {
  expect(await examine(origin)).toMatch(/\n\nEverything works\.\n$/);
  const records = new DatabaseSync(join(wikis, '.pagetree', 'records.sqlite'), { readOnly: true });
  expect(records.prepare('SELECT kind FROM record').all()).toEqual([]);
  records.close();
});

test.each<[string, Change, check: string, problem: RegExp]>([
  [
    'answers 404 for the metadata',
    answering(404, below('/.well-known/')),
    'Metadata',
    /\/\.well-known\/oauth-protected-resource\/mcp: the answer is 404 with the title "The proxy", .* do not find the login, .* Let the proxy pass everything below \/\.well-known\/ on/,
  ],
  [
    'answers 404 for the metadata of the server that gives tokens',
    answering(404, below('/.well-known/oauth-authorization-server')),
    'Metadata',
    /\/oauth-authorization-server: the answer is 404/,
  ],
  [
    'answers 403 for OAuth',
    answering(403, below('/_/oauth/')),
    'OAuth',
    /\/_\/oauth\/authorize: the answer is 403 .* clients of MCP .* cannot connect, .* Let the proxy pass everything below \/_\/oauth\/ on/,
  ],
  [
    'answers 403 where clients get tokens',
    answering(403, below('/_/oauth/token')),
    'OAuth',
    /POST to \S+\/_\/oauth\/token: the answer is 403/,
  ],
  [
    'answers 403 where clients register',
    answering(403, below('/_/oauth/register')),
    'OAuth',
    /POST to \S+\/_\/oauth\/register: the answer is 403/,
  ],
  [
    'answers 405 to every POST',
    answering(405, isPost),
    'Forms',
    /POST to \S+: the answer is 405 .* nobody can save a page or sign out, .* Let the proxy pass requests of every method on/,
  ],
  [
    'answers 403 to every POST',
    answering(403, isPost),
    'Forms',
    /POST to \S+: the answer is 403 .* nobody can save/,
  ],
  [
    'answers 405 to a POST of agents',
    answering(405, (asked) => isPost(asked) && below('/mcp')(asked)),
    'Tokens',
    /POST to \S+\/mcp: the answer is 405 .* no client of MCP can connect\. Let the proxy pass \/mcp on to the server, for every method/,
  ],
  [
    'answers 404 for agents',
    answering(404, below('/mcp')),
    'Agents',
    /\/mcp: the answer is 404 .* no client of MCP can connect\./,
  ],
  [
    'answers 404 for git',
    answering(404, ({ url = '' }) => /^\/[a-z0-9-]+\.git\//.test(url)),
    'Git',
    /\/main\.git\/info\/refs\S+: the answer is 404 .* nobody can clone, fetch or push with git\. Let the proxy pass every path/,
  ],
  [
    'takes Authorization out',
    without('authorization'),
    'Tokens',
    /The header Authorization does not arrive: .* no client of MCP gets in, .* Let the proxy pass that header on/,
  ],
  [
    'takes Cookie out',
    without('cookie'),
    'Callback',
    /The cookie of the login does not come back .* nobody can log in\. Let the proxy pass Cookie and the query on/,
  ],
  [
    'answers 500 at the end of a login',
    answering(500, below('/_/login/callback')),
    'Callback',
    /\/_\/login\/callback: the answer is 500 .* are not logged in\. Let the proxy pass everything below \/_\/ on/,
  ],
  [
    'answers 431 to cookies above 1 kB',
    answering(431, ({ headers }) => (headers.cookie ?? '').length > 1_000),
    'Cookies',
    /\/_\/login with 4000 bytes of cookies: the answer is 431 .* after their login\. Let the proxy take headers of 8 kB/,
  ],
  [
    'does not reach the server for OAuth',
    answering(502, below('/_/oauth/')),
    'OAuth',
    /: the answer is 502 .* Try again\. If the answer stays the same: Let the proxy pass/,
  ],
])(
  'a proxy that %s is named, once, with what people see and what to do',
  async (_, fault, check, expected) => {
    change = fault;
    const report = await examine(origin);
    expect(report).toMatch(new RegExp(`^${check}: +failed: see problem 1$`, 'm'));
    expect(report).toMatch(new RegExp(`^Problem 1: .*${expected.source}`, 'm'));
    expect(report).not.toContain('Problem 2');
  },
);

test('a failure of Pagetree itself is not blamed on the proxy', async () => {
  change = (asked, answer) => {
    if (!below('/_/login/callback')(asked)) return false;
    answer.writeHead(500).end('Something went wrong here. Try again.\n');
    return true;
  };
  expect(await examine(origin)).toMatch(
    /^Problem 1: \S+\/callback: Pagetree fails \(500\), so that .*\. The log of the server has the reason\.$/m,
  );
});

test('a Function URL that renames the header which asks for a token has no fault', async () => {
  change = (_, answer) => {
    const set = answer.setHeader.bind(answer);
    answer.setHeader = (name, value) =>
      set(name === 'www-authenticate' ? 'x-amzn-remapped-www-authenticate' : name, value);
    return false;
  };
  const report = await examine(origin);
  expect(report).toContain('Everything works.');
  expect(report).toMatch(/^Git: +needs a token, for which it does not ask here: .*docs\/git\.md/m);
});

test('of a server without a login nothing but that is a problem', async () => {
  const web = new ServedWeb(['--dir', await temporaryDirectory(), '--port', '0']);
  onTestFinished(async () => {
    await web.stop('SIGKILL');
  });
  const report = await examine(await web.address());
  expect(report).toMatch(/^Problem 1: .* not Pagetree with a login\. .* runs with --issuer/m);
  expect(report).not.toContain('Problem 2');
  expect(report).toMatch(/^Callback: +not tried, as this failed: Login page$/m);
});
