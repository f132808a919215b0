import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { RawHttp } from '../../../mcp-server/test/http/raw-http.ts';
import { git } from '../../../wiki/test/native-git.ts';
import { fetchAs } from '../clients/fetch-as.ts';
import { browserOf, logIn } from '../login/in-chromium.ts';
import { serveTeam } from '../login/served-team.ts';
import { HOST, MCP, ORIGIN } from '../login/team.ts';
import { OAuthClient } from './oauth-client.ts';

const RULES = [{ people: ['ada@example.org'], wikis: ['*'], may: 'write' }];

/** The program on the person's machine that waits for its code. */
async function openProgram() {
  const answers: URL[] = [];
  const server = createServer((request, response) => {
    const asked = new URL(request.url ?? '/', 'http://127.0.0.1');
    // Chromium asks for an icon too.
    if (asked.pathname === '/callback') answers.push(asked);
    response.end('You can close this page.');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { answers, redirect: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback` };
}

test.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('%s a person logs in, connects a client, and ends it again', async (_, hasScript) => {
  const { port, wikis } = await serveTeam(RULES);
  const open = await browserOf(port);
  const page = await (await open(hasScript)).newPage();
  await page.setViewportSize({ width: 390, height: 800 });
  const faults: string[] = [];
  page.on('console', (message) => {
    const isOurs = message.location().url.startsWith(ORIGIN);
    if (isOurs && message.type() === 'error') faults.push(message.text());
  });
  const { answers, redirect } = await openProgram();
  const client = new OAuthClient(port);
  await client.register({ redirect_uris: [redirect], client_name: 'A program' });
  const asked = client.authorizeAddress({ redirect_uri: redirect });
  await logIn(page, 'ada', '/main/');
  await page.goto(asked);
  await page.getByRole('heading', { name: 'Connect a client' }).waitFor();
  expect(await page.textContent('main')).toContain('a program on your own machine');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.getByLabel('Where').fill('main/Notes');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.waitForURL(`${redirect}?**`);
  const code = answers[0]?.searchParams.get('code') ?? '';
  const { body } = await client.exchange(code, { redirect_uri: redirect });
  const http = new RawHttp(MCP, { Authorization: `Bearer ${body.access_token}` }, fetchAs(HOST, port));
  await http.modern('tools/call', { name: 'write_page', arguments: { path: 'Notes/Plan', content: 'x\n' } });
  expect(git(join(wikis, 'main.git'), ['log', '-1', '--format=%an', 'main'])).toBe('Ada Lovelace');

  await page.goto('/main/');
  await page.getByRole('link', { name: 'Tokens' }).click();
  await page.getByText('A program, by').or(page.getByText('main/Notes/')).first().waitFor();
  await page.getByRole('button', { name: 'Disconnect A program' }).click();
  await page.getByText('You have none.').waitFor();
  expect((await http.modern('tools/list')).status).toBe(401);

  await page.goto(asked);
  await page.getByRole('button', { name: 'Do not connect' }).click();
  await page.waitForURL(`${redirect}?**`);
  expect(answers.at(-1)?.searchParams.get('error')).toBe('access_denied');
  expect(faults).toEqual([]);
});
