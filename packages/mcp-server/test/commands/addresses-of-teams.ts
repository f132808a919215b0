import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { freePort } from '../../../../labs/free-port.ts';
import { serveTeam } from '../../../web/test/login/served-team.ts';
import { examineAddress } from '../../src/cli/address/examine-address.ts';

const RULES = [{ everyone: true, wikis: ['*'], may: 'write' }];
/** For what answers: a hang alone would reach it. */
const LONG_MS = 600_000;

/** Takes what ends something. */
type AtEnd = (end: () => void | Promise<void>) => void;

/** What `doctor --url` reports of this address. */
export async function examine(origin: string, { timeoutMs = LONG_MS, now = Date.now } = {}) {
  return (await examineAddress(new URL(origin), { timeoutMs, now })).report;
}

/** A team whose people log in without TLS, as on this machine alone. */
export async function openTeam(issuer?: (origin: string) => Promise<string>): Promise<string> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  await serveTeam(RULES, { port, origin, ...(issuer !== undefined && { issuer: await issuer(origin) }) });
  return origin;
}

/** Returns true if it answers itself. Headers that it sets on the answer take the place of those of the team. */
export type Change = (asked: IncomingMessage, answer: ServerResponse) => boolean;

/** A proxy before a team, which changes what passes; the team knows the address of the proxy. */
export async function openBehind(change: Change, atEnd: AtEnd = onTestFinished) {
  const port = await freePort();
  const origin = await serve((asked, answer) => {
    if (change(asked, answer)) return;
    const { method, url, headers } = asked;
    const passed = request({ host: '127.0.0.1', port, method, path: url, headers }, (response) => {
      for (const [name, value] of Object.entries(response.headers))
        if (!answer.hasHeader(name)) answer.setHeader(name, value ?? '');
      answer.statusCode = response.statusCode ?? 0;
      response.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  }, atEnd);
  const { wikis } = await serveTeam(RULES, { port, origin, atEnd });
  return { origin, wikis };
}

/** The address of a server of this machine that answers so. */
export async function serve(listener: RequestListener, atEnd: AtEnd = onTestFinished): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}
