import { once } from 'node:events';
import { isIP } from 'node:net';
import type { PeerCertificate } from 'node:tls';
import { ok, problem, type Result } from './checklist.ts';
import { describeFailure } from './describe-failure.ts';

export async function checkName(address: URL, timeoutMs: number): Promise<Result<null>> {
  try {
    const { lookup } = await import('node:dns/promises');
    const found = await lookup(hostOf(address), { all: true });
    return ok(found.map((each) => each.address).join(', '), null);
  } catch (error) {
    return problem(describeFailure(error, address, timeoutMs));
  }
}

export async function checkTls(address: URL, timeoutMs: number): Promise<Result<null>> {
  if (address.protocol === 'http:') {
    return isSafe(address)
      ? ok('none, for a trial on this machine', null)
      : problem(
          `${address.origin} is without TLS, so that everybody on the way can read and take over logins. Give the address with https. If there is none, put a proxy with TLS before the server (docs/team-server.md).`,
        );
  }
  try {
    const { valid_to: until } = await certificateAt(address, timeoutMs);
    return ok(`the certificate is valid until ${new Date(until).toISOString().slice(0, 10)}`, null);
  } catch (error) {
    return problem(describeFailure(error, address, timeoutMs));
  }
}

/** True if nobody on the way can read it. The server takes no other address for itself and for the issuer. */
export function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1'].includes(hostname));
}

/** Fails if the certificate is not valid for this host. */
async function certificateAt(address: URL, timeoutMs: number): Promise<PeerCertificate> {
  // Loaded here: in the bundle every start would load it, for 60 ms and 8 MB.
  const { connect } = await import('node:tls');
  const signal = AbortSignal.timeout(timeoutMs);
  const host = hostOf(address);
  // An IP address is no name of a server in TLS.
  const name = isIP(host) === 0 ? { servername: host } : {};
  const socket = connect({ host, port: Number(address.port || HTTPS_PORT), ...name });
  try {
    await once(socket, 'secureConnect', { signal });
    return socket.getPeerCertificate();
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    socket.destroy();
  }
}

/** Without the brackets of an IPv6 address. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

const HTTPS_PORT = 443;
