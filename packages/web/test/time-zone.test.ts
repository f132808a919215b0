import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { git } from '../../wiki/test/native-git.ts';
import { ServedWeb } from './served-web.ts';

let directory: string;
let web: ServedWeb;
let address: string;

/** By the words of a page: late evenings in New York, which are the next day in UTC, and the night in which clocks change. */
const WRITTEN = {
  Earlier: '2025-02-09T23:59:59-05:00',
  Late: '2025-02-10T23:30:00-05:00',
  Later: '2025-02-11T00:00:00-05:00',
  Short: '2025-03-09T23:30:00-04:00',
};

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'pagetree-zone-'));
  const repository = join(directory, 'main.git');
  git(directory, ['init', '--quiet', '--bare', '--initial-branch=main', repository]);
  const commits = Object.entries(WRITTEN).map(([name, time]) => {
    const signature = `Ada <ada@example.org> ${Date.parse(time) / 1000} -0500`;
    const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
    const files = ['Log', name].map((path) => `M 100644 inline ${path}.md\n${data(`words of ${name}\n`)}`);
    return `commit refs/heads/main\nauthor ${signature}\ncommitter ${signature}\n${data(`Write ${name}`)}${files.join('')}\n`;
  });
  git(repository, ['fast-import', '--quiet'], commits.join(''));
  web = new ServedWeb(['--port', '0', '--dir', directory], { TZ: 'America/New_York' });
  address = await web.address();
});

afterAll(async () => {
  await web?.stop();
  rmSync(directory, { recursive: true });
});

async function namesIn(path: string): Promise<string[]> {
  const text = await (await fetch(address + path)).text();
  const main = text.slice(text.indexOf('<main'), text.indexOf('</main>'));
  return Object.keys(WRITTEN).filter((name) =>
    new RegExp(`Write ${name}\\b|/main/${name}"|of ${name}\\b`).test(main),
  );
}

test('a change is found by the day under which it is listed', async () => {
  const changes = await (await fetch(`${address}/_/main/changes`)).text();
  expect(changes).toMatch(/Monday, 10 February 2025<\/h2>\s*<ol class="changes"><li>[\s\S]*?Write Late/);
  expect(await namesIn('/_/main/changes?since=2025-02-10&until=2025-02-10')).toEqual(['Late']);
  expect(await namesIn('/_/main/changes?since=2025-02-11&until=2025-02-11')).toEqual(['Later']);
  expect(await namesIn('/_/main/changes?since=2025-03-09&until=2025-03-09')).toEqual(['Short']);
  expect(await namesIn('/_/main/changes?until=2025-02-09')).toEqual(['Earlier']);
});

test('a page is found by the day of its change, and shown as of the end of a day', async () => {
  expect(await namesIn('/_/main/search?q=words&since=2025-02-10&until=2025-02-10')).toEqual(['Late']);
  expect(await namesIn('/main/Log?at=2025-02-10')).toEqual(['Late']);
  expect(await namesIn('/main/Log?at=2025-02-09')).toEqual(['Earlier']);
});
