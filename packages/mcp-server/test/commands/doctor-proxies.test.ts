import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { examine, openBehind } from './team-address.ts';

const at = (path: string) => (asked: IncomingMessage) => asked.url?.startsWith(path) === true;

test.each<[string, (asked: IncomingMessage) => boolean, number, RegExp]>([
  [
    'hides /.well-known',
    at('/.well-known/'),
    404,
    /\/\.well-known\/oauth-protected-resource\/mcp answers 404, and not as Pagetree does, so that no agent can be connected/,
  ],
  [
    'refuses /_/oauth',
    at('/_/oauth/'),
    403,
    /\/_\/oauth\/token answers 403, and not as Pagetree does, so that no agent can be connected/,
  ],
  [
    'takes no POST',
    ({ method }) => method === 'POST',
    405,
    /answers 405 to a POST, without which nobody can write a page/,
  ],
  [
    'hides repositories',
    (asked) => asked.url?.includes('.git') === true,
    404,
    /\/WIKI\.git answers 404 to git, so that nobody can clone or push/,
  ],
  ['hides the address of agents', at('/mcp'), 404, /\/mcp answers 404, which is not Pagetree/],
  [
    'fails when people come back',
    at('/_/login/callback'),
    500,
    /\/_\/login\/callback, to which the issuer sends people after the login, answers 500/,
  ],
  [
    'takes only short cookies',
    ({ headers }) => (headers.cookie?.length ?? 0) > 1_000,
    431,
    /answers 431 if a cookie has 4000 bytes/,
  ],
])('a proxy that %s is named', async (_, isMeant, status, expected) => {
  const origin = await openBehind((asked, answer) => {
    if (!isMeant(asked)) return false;
    asked.resume();
    answer.writeHead(status).end('Not here.');
    return true;
  });
  const report = await examine(origin);
  expect(report).toMatch(new RegExp(`^Problem 1: .*${expected.source}`, 'm'));
});

test('a proxy that drops the header Authorization is named', async () => {
  const origin = await openBehind((asked) => {
    delete asked.headers.authorization;
    return false;
  });
  const report = await examine(origin);
  expect(report).toMatch(/^Tokens: +failed: see problem 1$/m);
  expect(report).toMatch(/^Problem 1: The header Authorization does not arrive at the server/m);
  expect(report).not.toContain('Problem 2');
});
