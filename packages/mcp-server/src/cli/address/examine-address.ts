import type { Diagnosis } from '../diagnosis.ts';
import { Checklist, ok } from './checklist.ts';
import { checkAgents, checkConnecting, checkForms, checkGit, checkTokens } from './client-checks.ts';
import { checkName, checkTls } from './connection.ts';
import {
  checkAuthorization,
  checkCookies,
  checkDiscovery,
  checkRedirect,
  checkReturn,
} from './login-checks.ts';
import { checkClock, checkFiles, checkHeaders, checkLoginPage } from './page-checks.ts';

export interface Surroundings {
  /** For each request. */
  timeoutMs: number;
  /** In milliseconds since 1970. */
  now(): number;
}

/**
 * Tries the address of a team from outside, without an account, as far as a person comes who logs in: up to the login
 * page of the issuer. Sends a cookie and a token that prove nothing, and leaves no more than a line in the log of the server.
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
  const agents = await list.after(login, 'Agents', () => checkAgents(site));
  await list.after(agents, 'Tokens', (toNone) => checkTokens(toNone, site));
  const forms = await list.after(agents, 'Forms', () => checkForms(site));
  await list.after(forms, 'Connecting', () => checkConnecting(site));
  await list.after(login, 'Git', () => checkGit(site));
  await list.after(login, 'Cookies', () => checkCookies(site));
  await list.after(login, 'Return', () => checkReturn(site));
  const issuer = await list.after(login, 'Issuer', (page) => checkDiscovery(page.issuer, timeoutMs));
  const redirect = await list.after(issuer, 'Redirect', () => checkRedirect(site));
  await list.after(redirect, 'Client', (to) => checkAuthorization(to, timeoutMs));
  return list.diagnosis();
}
