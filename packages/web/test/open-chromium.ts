import { readdirSync, readFileSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { installPrograms } from '../../../labs/requirements.ts';

/** The time limit of one action in a page, for what hangs. Chromium's own 30 s measure the machine. */
export const ACTION_MS = 600_000;

/** Debian's Chromium, installed if it is missing. Labs run as root, where Chromium has no sandbox. */
export async function openChromium(args: readonly string[] = []): Promise<Browser> {
  await installPrograms({ chromium: 'chromium' });
  return chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', ...args] });
}

/** A browser that keeps what it stores in a directory. `kill` ends it as a crash would. */
export async function launchWithProfile(profile: string): Promise<{ page: Page; kill: () => Promise<void> }> {
  await installPrograms({ chromium: 'chromium' });
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  context.setDefaultTimeout(ACTION_MS);
  const closed = new Promise<void>((resolve) => context.once('close', () => resolve()));
  return {
    page: context.pages()[0] ?? (await context.newPage()),
    kill: async () => {
      for (const id of processesWith(`--user-data-dir=${profile}`)) process.kill(id, 'SIGKILL');
      await closed;
    },
  };
}

function processesWith(argument: string): number[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return ids.filter((id) => argumentsOf(id).includes(argument)).map(Number);
}

function argumentsOf(id: string): string[] {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
