import { type Browser, chromium } from 'playwright-core';
import { installPrograms } from '../../../labs/requirements.ts';

/** The time limit of one action in a page, for what hangs. Chromium's own 30 s measure the machine. */
export const ACTION_MS = 600_000;

/** Debian's Chromium, installed if it is missing. Labs run as root, where Chromium has no sandbox. */
export async function openChromium(args: readonly string[] = []): Promise<Browser> {
  await installPrograms({ chromium: 'chromium' });
  return chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', ...args] });
}
