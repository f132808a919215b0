import type { Diagnosis } from '../diagnosis.ts';
import { Checklist, ok } from './checklist.ts';
import { checkAgents, checkGit, checkMetadata, checkOAuth, checkTokens } from './client-checks.ts';
import { checkName, checkTls } from './connection.ts';
import { checkAuthorization, checkCallback, checkDiscovery, checkRedirect } from './login-checks.ts';
import {
  checkClock,
  checkCookies,
  checkFiles,
  checkForms,
  checkHeaders,
  checkLoginPage,
} from './page-checks.ts';

export interface Surroundings {
  /** For each request. */
  timeoutMs: number;
  /** In milliseconds since 1970. */
  now(): number;
}

/**
 * Tries the address of a team from outside, without an account: what a person, a client of MCP and git ask for, each up to
 * where it would have to prove who it is. Sends nothing that proves that, and leaves nothing behind but a line in the log,
 * of a login that was refused.
 */
export async function examineAddress(address: URL, { timeoutMs, now }: Surroundings): Promise<Diagnosis> {
  const site = { origin: address.origin, timeoutMs };
  const list = new Checklist();
  await list.first('Address', async () => ok(address.origin, null));
  const name = await list.first('DNS', () => checkName(address, timeoutMs));
  const connection = await list.after(name, 'TLS', () => checkTls(address, timeoutMs));
  const login = await list.after(connection, 'Login page', () => checkLoginPage(site));
  await list.after(login, 'Headers', (page) => checkHeaders(page.headers, site));
  await list.after(login, 'Clock', (page) => checkClock(page.headers, now()));
  await list.after(login, 'Files', (page) => checkFiles(page, site));
  await list.after(login, 'Cookies', () => checkCookies(site));
  const forms = await list.after(login, 'Forms', () => checkForms(site));
  const agents = await list.after(login, 'Agents', () => checkAgents(site));
  await list.after(forms.kind === 'ok' ? agents : forms, 'Tokens', () => checkTokens(site));
  await list.after(login, 'Metadata', () => checkMetadata(site));
  await list.after(forms, 'OAuth', () => checkOAuth(site));
  await list.after(login, 'Git', () => checkGit(site));
  const issuer = await list.after(login, 'Issuer', (page) => checkDiscovery(page.issuer, timeoutMs));
  const redirect = await list.after(issuer, 'Redirect', (named) => checkRedirect(site, named));
  await list.after(redirect, 'Client', ({ to }) => checkAuthorization(to, timeoutMs));
  await list.after(redirect, 'Callback', (begun) => checkCallback(begun, site));
  return list.diagnosis();
}
