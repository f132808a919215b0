import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { installNpmPackages } from '../../../labs/requirements.ts';
import { SdkClient } from '../../mcp-server/test/sdk-client.ts';

const SERVER = fileURLToPath(new URL('../../mcp-server/src/main.ts', import.meta.url));
const EVERY_MS = 250;
const FRAMES = 20;

/** A moving WebP of an open page while an agent writes to it over MCP. */
export async function takeMovingPicture({
  browser,
  baseURL,
  wikis,
  file,
}: {
  browser: Browser;
  baseURL: string;
  wikis: string;
  file: string;
}): Promise<void> {
  const viewport = { width: 960, height: 540 };
  const page = await browser.newPage({ baseURL, viewport, colorScheme: 'light' });
  const env = { PAGETREE_AUTHOR: 'Ada Lovelace <team@example.org>' };
  const name = { name: 'claude-code', version: '2.1' };
  const agent = new SdkClient(process.execPath, [SERVER, '--dir', wikis], env, undefined, name);
  await agent.connect();
  try {
    await agent.ok('write_page', {
      path: 'Ideas',
      content: '# Ideas\n\nFor the book of recipes:\n\n- Bread without kneading.\n',
    });
    await page.goto('/main/Ideas');
    const frames: Buffer[] = [];
    for (let frame = 0; frame < FRAMES; frame += 1) {
      const line = LINES[frame / 4 - 1];
      if (line !== undefined) await agent.ok('append_to_page', { path: 'Ideas', content: `- ${line}` });
      const due = performance.now() + EVERY_MS;
      frames.push(await page.screenshot());
      await page.waitForTimeout(Math.max(0, due - performance.now()));
    }
    await joinFrames(frames, file);
  } finally {
    await agent.close();
    await page.close();
  }
}

const LINES = [
  'Soup of roasted roots.',
  'A week of beans, each day in another way.',
  'Plums, dried in the oven.',
];

/** By a library that only this needs. */
async function joinFrames(frames: readonly Buffer[], file: string): Promise<void> {
  const packages = await installNpmPackages(['sharp@0.34.5']);
  const sharp = createRequire(join(packages, 'node_modules/'))('sharp');
  await sharp(frames, { join: { animated: true } })
    .webp({ quality: 60, effort: 6, delay: frames.map(() => EVERY_MS), loop: 0 })
    .toFile(file);
}
