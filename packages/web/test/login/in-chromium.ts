import type { BrowserContext, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { ACTION_MS, openChromium } from '../open-chromium.ts';
import { HOST, ORIGIN } from './team.ts';
import { openTlsProxy } from './tls-proxy.ts';

/** A browser that finds the pages of a port behind a proxy with TLS. The function opens a profile of its own. */
export async function browserOf(port: number): Promise<OpenProfile> {
  return browserBehind(await openTlsProxy(HOST, port));
}

type OpenProfile = (hasScript?: boolean) => Promise<BrowserContext>;

/** The same behind a proxy that listens on a port. */
export async function browserBehind(proxy: number): Promise<OpenProfile> {
  const browser = await openChromium([`--host-resolver-rules=MAP ${HOST}:443 127.0.0.1:${proxy}`]);
  onTestFinished(() => browser.close());
  return async (javaScriptEnabled = true) => {
    const context = await browser.newContext({ baseURL: ORIGIN, ignoreHTTPSErrors: true, javaScriptEnabled });
    context.setDefaultTimeout(ACTION_MS);
    return context;
  };
}

/** Goes to an address, through our page and those of the issuer. */
export async function logIn(page: Page, person: string, address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole('link', { name: /^Log in at/ }).click();
  const name = page.getByPlaceholder('Enter any login');
  const agreed = page.getByRole('button', { name: 'Continue' });
  await name.or(agreed).first().waitFor();
  if (await name.isVisible()) {
    await name.fill(person);
    await page.getByPlaceholder('and password').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
  }
  await agreed.click();
  await page.waitForURL(ORIGIN + address);
}

/** Writes a page by its form. */
export async function write(page: Page, path: string, content: string): Promise<void> {
  await page.goto(`/main/${path}?view=edit`);
  const editor = page.getByRole('textbox', { name: 'Text, in Markdown' });
  await editor.fill(content);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForURL(`${ORIGIN}/main/${path}`);
}
