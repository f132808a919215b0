import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { IMAGE_STORAGE } from './container/image-config.ts';
import { type ServedImage, serveImage } from './container/served-image.ts';
import { ACTION_MS, openChromium } from './open-chromium.ts';
import { ServedWeb } from './served-web.ts';

/**
 * `pnpm serve` on a new wiki that `fill` writes, or the image that `IMAGE_STORAGE` names, and Chromium, for all tests of a
 * file.
 */
export function openLab(...fill: readonly ((directory: string) => Promise<void>)[]) {
  let directory: string;
  let web: ServedWeb;
  let baseURL: string;
  let browser: Browser;
  let image: ServedImage | null = null;

  beforeAll(async () => {
    if (IMAGE_STORAGE !== null) {
      const served = await serveImage(IMAGE_STORAGE, async (wikis) => {
        for (const part of fill) await part(wikis);
      });
      image = served;
      ({ baseURL, browser, directory } = served);
      return;
    }
    directory = mkdtempSync(join(tmpdir(), 'pagetree-browser-'));
    for (const part of fill) await part(directory);
    web = new ServedWeb(['--port', '0', '--dir', directory]);
    [baseURL, browser] = await Promise.all([web.address(), openChromium()]);
  });

  afterAll(async () => {
    if (image !== null) return image.stop();
    await browser?.close();
    await web?.stop();
    if (directory !== undefined) rmSync(directory, { recursive: true });
  });

  return {
    /** The directory of wikis. */
    get directory() {
      return directory;
    },

    get baseURL() {
      return baseURL;
    },

    async open(options: BrowserContextOptions): Promise<Page> {
      const context = await browser.newContext({ baseURL, ...image?.context, ...options });
      onTestFinished(() => context.close());
      context.setDefaultTimeout(ACTION_MS);
      return context.newPage();
    },
  };
}
