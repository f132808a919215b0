import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../../labs/free-port.ts';
import { installNpmPackages } from '../../../../labs/requirements.ts';
import { TestBrowser } from '../login/browser.ts';
import { serveTeam } from '../login/served-team.ts';
import { walkIssuer } from '../login/walk-issuer.ts';
import { proofIn } from './oauth-client.ts';

let suite: string;

beforeAll(async () => {
  const installed = await installNpmPackages(['@modelcontextprotocol/conformance@0.2.0-alpha.12']);
  suite = join(installed, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
});

test("MCP's own scenarios for authorization servers pass, with a person who logs in and consents", async () => {
  const [port, callback] = [await freePort(), await freePort()];
  const origin = `http://localhost:${port}`;
  await serveTeam([{ everyone: true, wikis: ['*'], may: 'write' }], { port, origin });
  const registered = await fetch(`${origin}/_/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      redirect_uris: [`http://127.0.0.1:${callback}/callback`],
      client_name: 'Conformance',
    }),
  });
  const { client_id: id } = (await registered.json()) as { client_id: string };
  const args = [
    'authorization',
    '--url',
    origin,
    '--client-id',
    id,
    '--resource',
    `${origin}/mcp`,
    '-p',
    `${callback}`,
  ];
  const child = spawn(process.execPath, [suite, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (line.startsWith(`${origin}/_/oauth/authorize?`)) await consent(origin, port, line);
  }
  expect(await ended, lines.join('\n')).toBe(0);
  expect(lines).toContain('Total: 3 passed, 0 failed');
});

/** Logs in at the issuer, consents, and goes where the server leads. */
async function consent(origin: string, port: number, address: string): Promise<void> {
  const browser = new TestBrowser(port, `localhost:${port}`);
  const own = { origin };
  const pathOf = (url: string) => url.replace(origin, '');
  const login = await browser.get(pathOf(address));
  const { searchParams } = new URL(login.location, origin);
  const begun = await browser.get(`/_/login/begin?to=${encodeURIComponent(searchParams.get('to') ?? '')}`);
  const landed = await browser.get(pathOf(await walkIssuer(begun.location, 'ada')));
  const [, onward = ''] = /content="0; url=([^"]*)"/.exec(landed.text) ?? [];
  const asked = await browser.get(onward.replaceAll('&amp;', '&'));
  const page = await browser.get(asked.location);
  const fields = { token: proofIn(page), may: 'write', where: '', do: 'allow' };
  const allowed = await browser.post(asked.location, fields, own);
  const [, back = ''] = /content="0; url=([^"]*)"/.exec(allowed.text) ?? [];
  await fetch((await browser.get(back)).location);
}
