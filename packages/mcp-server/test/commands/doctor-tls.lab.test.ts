import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../../labs/free-port.ts';
import { installPrograms } from '../../../../labs/requirements.ts';
import { openHonestIssuer } from '../../../web/test/login/honest-issuer.ts';
import { OwnIssuer } from '../../../web/test/login/own-issuer.ts';
import { serveTeam } from '../../../web/test/login/served-team.ts';
import { openTlsProxy, selfSigned } from '../../../web/test/login/tls-proxy.ts';
import { builtServer, temporaryDirectory } from '../built-server.ts';
import { RawServer } from '../raw-server.ts';

let bundle: string;

beforeAll(async () => {
  await installPrograms({ openssl: 'openssl' });
  bundle = await builtServer();
});

/** Runs `doctor --url` on a machine that trusts this certificate besides the usual. */
async function examine(origin: string, trusted: Buffer | null) {
  const file = join(await temporaryDirectory(), 'trusted.pem');
  await writeFile(file, trusted ?? '');
  const env = trusted === null ? {} : { NODE_EXTRA_CA_CERTS: file };
  const server = new RawServer(process.execPath, [bundle, 'doctor', '--url', origin], env);
  server.process.stdin.end();
  const { code } = await server.ended;
  return { report: server.rubbish.join('\n'), code };
}

/** The same certificate, of which the time is over. */
async function expire({ key, cert }: ReturnType<typeof selfSigned>) {
  const file = join(await temporaryDirectory(), 'key');
  await writeFile(file, key);
  const args = ['x509', '-signkey', file, '-days', '-1'];
  return { key, cert: execFileSync('openssl', args, { input: cert, stdio: 'pipe' }) };
}

/** A team behind a proxy with TLS. */
async function openTeam(
  certificate: ReturnType<typeof selfSigned>,
  issuer?: (origin: string) => Promise<string>,
) {
  const port = await freePort();
  const origin = `https://localhost:${await openTlsProxy('localhost', port, { certificate })}`;
  const rules = [{ everyone: true, wikis: ['*'], may: 'write' }];
  await serveTeam(rules, { port, origin, issuer: await (issuer ?? openHonestIssuer)(origin) });
  return origin;
}

test('a team behind a proxy with TLS works', async () => {
  const certificate = selfSigned('localhost');
  const origin = await openTeam(certificate);
  const { report, code } = await examine(origin, certificate.cert);
  expect(report).toMatch(
    /^TLS: +the certificate is valid until \d{4}-\d\d-\d\d\nLogin page: +Pagetree shows it$/m,
  );
  expect(report).toMatch(/^Headers: +Strict-Transport-Security, Content-Security-Policy, /m);
  expect(report).toMatch(
    /^Client: .* takes the client pagetree and https:\/\/localhost:\d+\/_\/login\/callback,/m,
  );
  expect(report).toContain('Everything works.');
  expect(code).toBe(0);
});

test('a certificate that is not valid is named, and nothing else is tried', async () => {
  const [expired, other, own] = [
    await expire(selfSigned('localhost')),
    selfSigned('wiki.example.org'),
    selfSigned('localhost'),
  ];
  const cases = [
    [expired, expired.cert, /^Problem 1: The certificate of localhost:\d+ has expired\. Renew it\.$/m],
    [other, other.cert, /^Problem 1: The certificate is for other names than localhost/m],
    [
      own,
      null,
      /^Problem 1: This machine trusts no authority that vouches for the certificate of localhost:\d+\. /m,
    ],
  ] as const;
  for (const [certificate, trusted, expected] of cases) {
    const origin = `https://localhost:${await openTlsProxy('localhost', await freePort(), { certificate })}`;
    const { report, code } = await examine(origin, trusted);
    expect(report).toMatch(expected);
    expect(report).toMatch(/^TLS: +failed: see problem 1\nLogin page: +not tried, as this failed: TLS$/m);
    expect(code).toBe(1);
  }
});

test('a server without TLS in place of the proxy is named', async () => {
  const port = await freePort();
  await serveTeam([], { port, origin: `https://localhost:${port}` });
  const { report } = await examine(`https://localhost:${port}`, null);
  expect(report).toMatch(
    /^Problem 1: TLS with localhost:\d+ fails \(\w+\)\. See that a proxy with TLS answers there/m,
  );
});

test('an issuer whose certificate the server does not trust fails at the redirect, since this machine trusts it', async () => {
  const certificate = selfSigned('localhost');
  const issuer = await OwnIssuer.open();
  const behind = await openTlsProxy('localhost', Number(new URL(issuer.address).port), { certificate });
  issuer.address = `https://localhost:${behind}`;
  const { report } = await examine(await openTeam(certificate, async () => issuer.address), certificate.cert);
  expect(report).toMatch(
    /^Issuer: +https:\/\/localhost:\d+\/, which does not say .*\nRedirect: +failed: see problem 1$/m,
  );
  expect(report).toContain(
    'Problem 1: No login begins, as the server cannot use the issuer, which answers this machine.',
  );
});
