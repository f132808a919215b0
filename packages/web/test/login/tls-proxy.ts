import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { installPrograms } from '../../../../labs/requirements.ts';

interface ProxyOptions {
  certificate?: Certificate;
  /** Takes what closes it, by default at the end of the test. */
  atEnd?: (close: () => void) => void;
}

/** A proxy with TLS in front of a port of this machine, by default with a certificate of its own. Returns its port. */
export async function openTlsProxy(
  host: string,
  port: number,
  { certificate, atEnd = onTestFinished }: ProxyOptions = {},
): Promise<number> {
  await installPrograms({ openssl: 'openssl' });
  const server = createServer(certificate ?? selfSigned(host), (asked, answer) => {
    const { method, url, headers } = asked;
    const passed = request({ host: '127.0.0.1', port, method, path: url, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    asked.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

interface Certificate {
  key: Buffer;
  cert: Buffer;
}

/** The key and the certificate of a host that nobody but itself vouches for. */
export function selfSigned(host: string): Certificate {
  const directory = mkdtempSync(join(tmpdir(), 'pagetree-tls-'));
  const [key, cert] = [join(directory, 'key'), join(directory, 'cert')];
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', `/CN=${host}`];
  execFileSync('openssl', [...made, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const pair = { key: readFileSync(key), cert: readFileSync(cert) };
  rmSync(directory, { recursive: true });
  return pair;
}
