import type { RequestListener } from 'node:http';
import { beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../../labs/free-port.ts';
import { openHonestIssuer } from '../../../web/test/login/honest-issuer.ts';
import { CLIENT, OwnIssuer } from '../../../web/test/login/own-issuer.ts';
import { builtServer } from '../built-server.ts';
import { RawServer } from '../raw-server.ts';
import { examine, openBehind, openTeam, serve } from './addresses-of-teams.ts';

let bundle: string;

beforeAll(async () => {
  bundle = await builtServer();
});

async function run(...args: string[]): Promise<{ said: string; code: number | null }> {
  const server = new RawServer(process.execPath, [bundle, 'doctor', ...args]);
  server.process.stdin.end();
  const { code } = await server.ended;
  return { said: [...server.rubbish, server.stderr].join('\n'), code };
}

test('a team that works is reported as working, line by line', async () => {
  const origin = await openTeam();
  const { said, code } = await run('--url', `${origin}/main/Page?view=edit`);
  const lines = [
    `Address:     ${origin}`,
    String.raw`DNS:         \S+.*`,
    'TLS:         none, for a trial on this machine',
    'Login page:  Pagetree shows it',
    'Headers:     Content-Security-Policy, Cache-Control, X-Content-Type-Options',
    'Clock:       .*that of this machine',
    'Files:       browsers keep them; not compressed',
    'Cookies:     arrive with 4000 bytes',
    String.raw`Forms:       arrive, and change nothing without a login \(POST\)`,
    String.raw`Agents:      need a token of a person \(/mcp answers 401\)`,
    'Tokens:      arrive, and one that nobody has is refused',
    'Metadata:    leads clients of MCP to the login',
    'OAuth:       leads to the login, and refuses clients that are not registered',
    'Git:         asks for a token of a person',
    String.raw`Issuer:      http://127\.0\.0\.1:\d+/`,
    String.raw`Redirect:    leads to 127\.0\.0\.1:\d+, with the cookie of the login`,
    String.raw`Client:      127\.0\.0\.1:\d+ takes the client pagetree and ${origin}/_/login/callback, as far .*`,
    'Callback:    takes the answer of the issuer to this login',
    '',
    String.raw`Everything works\.`,
  ];
  expect(said).toMatch(new RegExp(`^${lines.join('\n')}\\s*$`));
  expect(code).toBe(0);
});

test('a redirect address and a client that the issuer does not know are problems of the client', async () => {
  const origin = await openTeam(() => openHonestIssuer('https://other.example.org'));
  const { said, code } = await run('--url', origin);
  expect(said).toMatch(/^Redirect: +leads to .*\nClient: +failed: see problem 1\n/m);
  expect(said).toContain(
    `refuses the login (400, invalid_redirect_uri). Register ${origin}/_/login/callback as a redirect URI of the client ${CLIENT.id} at the issuer`,
  );
  expect(code).toBe(1);
});

test('each fault of an issuer is named, and what depends on it is not tried', async () => {
  const issuer = await OwnIssuer.open();
  const origin = await openTeam(async () => issuer.address);
  const faults: [Partial<Pick<OwnIssuer, 'isAway' | 'metadata'>>, RegExp][] = [
    [
      { metadata: { issuer: 'https://other.example.org' } },
      /The issuer at \S+ calls itself https:\/\/other\.example\.org, .*--issuer https:\/\/other\.example\.org/,
    ],
    [
      { metadata: { token_endpoint: 'http://example.org/token' } },
      /token_endpoint: must be an address with https\./,
    ],
    [{ metadata: { jwks_uri: undefined } }, /is not the metadata of an issuer: jwks_uri: /],
    [
      { metadata: { response_types_supported: ['id_token'] } },
      /does not offer the flow with an authorization code/,
    ],
    [{ metadata: { code_challenge_methods_supported: ['plain'] } }, /does not offer PKCE with S256/],
    [{ isAway: true }, /The issuer cannot be asked\. 127\.0\.0\.1:\d+ closed the connection/],
  ];
  for (const [fault, expected] of faults) {
    Object.assign(issuer, fault);
    const report = await examine(origin);
    expect(report).toMatch(new RegExp(`^Problem 1: .*${expected.source}`, 'm'));
    expect(report).toMatch(/^Git: +asks for a token.*\nIssuer: +failed: see problem 1$/m);
    expect(report).toMatch(/^Redirect: +not tried, as this failed: Issuer\nClient: +not tried.*: Issuer$/m);
    expect(report).not.toContain('Problem 2');
  }
});

test('a login page that the issuer cannot show at the moment is no fault of the client', async () => {
  let behind = '';
  const front = await serve(async ({ url = '' }, answer) => {
    if (url.startsWith('/authorize')) return void answer.writeHead(503).end();
    answer.end(await (await fetch(behind + url)).text());
  });
  const issuer = await OwnIssuer.open();
  behind = issuer.address;
  issuer.address = front;
  const report = await examine(await openTeam(async () => front));
  expect(report).toMatch(
    /Problem 1: The issuer answers 503 for its login page at localhost:\d+\. Try again later\./,
  );
  expect(report).not.toContain('Register');
  // This issuer does not name itself in its answers.
  expect(report).toMatch(/^Callback: +takes the answer/m);
});

test('an issuer that the server cannot reach is a problem of its own, although this machine reaches it', async () => {
  const issuer = await OwnIssuer.open();
  const origin = await openTeam(async () => issuer.address);
  // The second one that asks is the server.
  Object.defineProperty(issuer, 'isAway', { get: () => issuer.discoveries === 1 });
  const report = await examine(origin);
  expect(report).toMatch(/^Issuer: +http.*\nRedirect: +failed: see problem 1\nClient: +not tried/m);
  expect(report).toMatch(
    /Problem 1: No login begins, as the server cannot use the issuer, .*"login refused"/,
  );
});

const page = (title: string) => `<!doctype html><title>${title}</title><p>Hello.`;

test.each<[string, RequestListener, RegExp]>([
  [
    'a foreign site',
    (_, answer) => answer.setHeader('content-type', 'text/html').end(page('A shop\u001b[31m\u009b')),
    /Problem 1: \S+ answers 200 with the title "A shop \[31m", which is not Pagetree with a login/,
  ],
  [
    'another address',
    (_, answer) => answer.writeHead(301, { location: 'https://www.example.org/' }).end(),
    /Problem 1: \S+ leads to https:\/\/www\.example\.org\. Give that address/,
  ],
  [
    'a circle',
    (_, answer) => answer.writeHead(302, { location: '/' }).end(),
    /Problem 1: \S+ answers 302, which is not Pagetree/,
  ],
  [
    'too many requests',
    (_, answer) => answer.writeHead(429, { 'retry-after': '7' }).end(),
    /Problem 1: \S+ answers 429: too many requests at once, come again in 7 s\. Wait/,
  ],
  [
    'a proxy without a server',
    (_, answer) => answer.writeHead(502).end(page('Bad Gateway')),
    /Problem 1: \S+ answers 502: the server is not ready, or the proxy does not reach it\./,
  ],
  [
    'a function that is starting',
    (_, answer) => answer.writeHead(503, { 'retry-after': '2' }).end(),
    /Problem 1: \S+ answers 503: the server is not ready/,
  ],
  [
    'a function that is set up wrongly',
    (_, answer) => answer.writeHead(503).end('These pages are set up wrongly. The key is missing.\n'),
    /Problem 1: \S+ answers 503: These pages are set up wrongly\. The key is missing\. The log of the function/,
  ],
  [
    'a refusal',
    (_, answer) => answer.writeHead(403).end('{"Message":"Forbidden"}'),
    /answers 403: something/,
  ],
  ['no HTTP', (asked) => asked.socket.end('What is this?\r\n\r\n'), /does not answer in HTTP \(HPE_\w+\)/],
  ['an end', (asked) => asked.socket.destroy(), /closed the connection or cannot be reached \(ECONNRESET\)/],
  [
    'endless bytes',
    (_, answer) => {
      const more = () => {
        while (answer.write(Buffer.alloc(100_000)));
      };
      answer.on('drain', more);
      more();
    },
    /Problem 1: localhost:\d+ answers for \/ with more than 2000000 bytes/,
  ],
  [
    'endless headers',
    (asked) => asked.socket.write(`HTTP/1.1 200 OK\r\n${'X-More: and more\r\n'.repeat(10_000)}`),
    /does not answer in HTTP \(HPE_HEADER_OVERFLOW\)/,
  ],
])('%s in place of the pages is named, and nothing else is tried', async (_, listener, expected) => {
  const asked: string[] = [];
  const origin = await serve((request, answer) => {
    asked.push(`${request.url} with ${Object.keys(request.headers).sort()}`);
    listener(request, answer);
  });
  const report = await examine(origin);
  expect(report).toMatch(expected);
  expect(report).toMatch(/^Login page: +failed: see problem 1$/m);
  expect(report.match(/not tried, as this failed: Login page/g)).toHaveLength(14);
  expect(asked).toEqual(['/ with accept,connection,host']);
});

test.each<[string, RequestListener]>([
  ['never answers', () => undefined],
  ['never ends its answer', (_, answer) => answer.write('<!doctype html>')],
])('a server that %s is given up', async (_, listener) => {
  const report = await examine(await serve(listener), { timeoutMs: 300 });
  expect(report).toMatch(/Problem 1: localhost:\d+ did not answer within 0\.3 s\./);
});

test('a port at which nothing listens, and a name that is not there, are named', async () => {
  const port = await freePort();
  expect(await examine(`http://localhost:${port}`)).toContain(
    `Problem 1: Nothing listens at localhost:${port}.`,
  );
  const report = await examine('https://wiki.invalid');
  expect(report).toMatch(/^DNS: +failed: see problem 1\nTLS: +not tried, as this failed: DNS$/m);
  expect(report).toContain('Problem 1: The name wiki.invalid is not found');
});

test('without TLS nothing is asked for', async () => {
  const asked: string[] = [];
  const origin = await serve((request) => asked.push(request.url ?? ''));
  const report = await examine(origin.replace('localhost', '127.0.0.2'));
  expect(report).toMatch(/^TLS: +failed: see problem 1\nLogin page: +not tried, as this failed: TLS$/m);
  expect(report).toContain('Give the address with https.');
  expect(asked).toEqual([]);
});

test('a server that is for another address is named', async () => {
  const origin = await openTeam();
  const port = Number(new URL(origin).port);
  const report = await examine(`http://127.0.0.1:${port}`);
  expect(report).toContain(
    `answers 421: the server is for ${origin}. Start it with --public-url http://127.0.0.1:${port}, and let the proxy pass on the Host header`,
  );
});

test('each fault of a proxy that passes pages on is named', async () => {
  const { origin } = await openBehind((asked, answer) => {
    if (asked.url === '/mcp') {
      answer.end('Come in.');
      return true;
    }
    answer.setHeader('cache-control', 'public, max-age=60');
    answer.setHeader('set-cookie', 'pagetree-session-1-login-x=y; Path=/; HttpOnly; SameSite=None');
    return false;
  });
  const report = await examine(origin, { now: () => Date.now() + 100_000 });
  expect(report).toMatch(/Problem 1: Headers of Pagetree .* as it sends them: Cache-Control\. Let the proxy/);
  expect(report).toMatch(/Problem 2: The clock of the server is \d+ s behind that of this machine\./);
  expect(report).toMatch(/Problem 3: The script \S+\.js has the header Cache-Control "public, max-age=60"/);
  expect(report).toMatch(
    /Problem 4: \S+\/mcp: the answer is 200, which is not that of Pagetree, .* can connect\./,
  );
  expect(report).toMatch(/Problem 5: The cookie of the login does not arrive as Pagetree sends it/);
  expect(report).toMatch(/^Client: +not tried, as this failed: Redirect\nCallback: +not tried.*: Redirect$/m);
  expect(report).toMatch(/^Tokens: +not tried, as this failed: Agents\nMetadata: +leads clients/m);
});
