import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Reaching } from '@pagetree/outbound/reaching';
import { onTestFinished } from 'vitest';
import { selfSigned } from '../login/tls-proxy.ts';
import { REDIRECT } from './oauth-client.ts';

const CLIENT_HOST = 'client.example';

export type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/** A host of clients with TLS, on this machine, and how to reach it. Needs `openssl`. */
export async function openClientHost() {
  const pair = selfSigned(CLIENT_HOST);
  const served: { count: number; serve: Serve } = { count: 0, serve: (_, response) => response.end() };
  const server = createServer(pair, (request, response) => {
    served.count += 1;
    served.serve(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const host = `${CLIENT_HOST}:${(server.address() as AddressInfo).port}`;
  const id = `https://${host}/client.json`;
  const lookup = ((_name: string, _options: object, done: (error: null, found: object[]) => void) =>
    done(null, [{ address: '127.0.0.1', family: 4 }])) as Reaching['lookup'];
  const certificate = pair.cert.toString();
  const reaching: Reaching = {
    lookup,
    isAllowed: (address) => address === '127.0.0.1',
    ca: certificate,
  };
  const document = (changed: object = {}) => {
    const text = JSON.stringify({
      client_id: id,
      client_name: 'Documented',
      redirect_uris: [REDIRECT],
      ...changed,
    });
    served.serve = (_, response) => response.setHeader('content-type', 'application/json').end(text);
  };
  document();
  return { host, id, certificate, reaching, served, document };
}
