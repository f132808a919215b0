import type { Diagnosis } from '../diagnosis.ts';
import { Checklist, ok } from './checklist.ts';
import { checkName, checkTls } from './connection.ts';
import { checkAuthorization, checkDiscovery, checkRedirect } from './login-checks.ts';
import { checkAgents, checkClock, checkFiles, checkHeaders, checkLoginPage } from './page-checks.ts';

export interface Surroundings {
  /** For each request. */
  timeoutMs: number;
  /** In milliseconds since 1970. */
  now(): number;
}

/**
 * Tries the address of a team from outside, without an account, as far as a person comes who logs in: up to the login
 * page of the issuer. Asks for each page once, and sends neither cookies nor anything else that proves who asks.
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
  await list.after(login, 'Agents', () => checkAgents(site));
  const issuer = await list.after(login, 'Issuer', (page) => checkDiscovery(page.issuer, timeoutMs));
  const redirect = await list.after(issuer, 'Redirect', () => checkRedirect(site));
  await list.after(redirect, 'Client', (to) => checkAuthorization(to, timeoutMs));
  return list.diagnosis();
}
