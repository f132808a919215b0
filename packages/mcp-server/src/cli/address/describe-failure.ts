import type { PeerCertificate } from 'node:tls';
import { shown } from './shown.ts';

/** Says why an address could not be asked, and what to do. */
export function describeFailure(error: unknown, { host, hostname }: URL, timeoutMs: number): string {
  const code = codeOf(error);
  if (code === 'CERT_HAS_EXPIRED') return `The certificate of ${host} has expired. Renew it.`;
  if (code === 'CERT_NOT_YET_VALID')
    return `The certificate of ${host} is not valid yet. If the clock of this machine is right, get another one.`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `The certificate is for other names than ${hostname}${namesIn(error)}. Get one for ${hostname}, or give the address that it is for.`;
  if (UNKNOWN_AUTHORITY.has(code))
    return `This machine trusts no authority that vouches for the certificate of ${host}. Let the server send the whole chain of certificates (as fullchain.pem), of an authority that browsers know. If the authority is your own, name its certificate in NODE_EXTRA_CA_CERTS and try again.`;
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_') || code === 'EPROTO')
    return `TLS with ${host} fails (${code}). See that a proxy with TLS answers there (docs/team-server.md), and not a server without it.`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `The name ${hostname} is not found (${code}). See how it is spelled, and whether it has a record in DNS.`;
  if (code === 'ECONNREFUSED')
    return `Nothing listens at ${host}. Start the proxy, or open the port in the firewall.`;
  if (code === TIMEOUT || code === 'ETIMEDOUT')
    return `${host} did not answer within ${timeoutMs / 1_000} s. See that the server runs, that the proxy leads to it, and that no firewall is in between.`;
  if (code.startsWith('HPE_')) return `${host} does not answer in HTTP (${code}). See what answers there.`;
  return `${host} closed the connection or cannot be reached (${code}). See the log of the proxy.`;
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  // Each address of the name was tried.
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  if (error.name === 'TimeoutError') return TIMEOUT;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

function namesIn(error: unknown): string {
  if (!(error instanceof Error && 'cert' in error)) return '';
  const { subjectaltname, subject } = error.cert as Partial<PeerCertificate>;
  const names = subjectaltname ?? subject?.CN?.toString();
  return names === undefined ? '' : ` (${shown(names.replaceAll('DNS:', ''))})`;
}

const TIMEOUT = 'TimeoutError';

const UNKNOWN_AUTHORITY: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_UNTRUSTED',
]);
