import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { buildWebFunction, buildWebProgram } from '../build.ts';
import { assetsOfPackage } from '../src/cli/assets/assets-of-package.ts';
import { assetsOfSources } from '../src/cli/assets/assets-of-sources.ts';

const FILES = [
  'THIRD-PARTY-NOTICES.txt',
  'diagrams.html',
  'graph.js',
  'index.mjs',
  'render-worker.mjs',
  'site.json',
];

test('the function that shows pages is small, the same whenever it is built, and has no wiki in it', async () => {
  const [directory, again] = [await built(), await built()];
  expect(readdirSync(directory).sort()).toEqual(FILES);
  const [notices = '', , , main = '', worker = ''] = FILES.map((file) =>
    readFileSync(join(directory, file), 'utf8'),
  );
  for (const file of FILES) {
    expect(
      readFileSync(join(again, file), 'utf8') === readFileSync(join(directory, file), 'utf8'),
      file,
    ).toBe(true);
  }
  expect(Buffer.byteLength(main)).toBeLessThan(1_270_000);
  expect(Buffer.byteLength(worker)).toBeLessThan(1_900_000);
  // The storage, the index and the compiler of scripts are somewhere else, and nobody asks for a stack.
  for (const text of ['node:sqlite', 'pagetree/chain', 'esbuild'])
    expect(main.includes(text), text).toBe(false);
  expect(notices.includes('@aws-sdk/client-cloudformation ')).toBe(false);
  // Markdown is for the threads.
  for (const text of ['katex', 'hljs'])
    expect([main.includes(text), worker.includes(text)], text).toEqual([false, true]);
  for (const name of [
    'hono',
    '@aws-sdk/client-dynamodb',
    '@aws-sdk/client-lambda',
    '@aws-sdk/client-ssm',
    'openid-client',
    'katex',
    '@mermaid-js/tiny',
    'sigma',
    '@codemirror/view',
  ])
    expect(notices.includes(`${name} `), name).toBe(true);
});

test('the program of the npm package has the assets that a clone builds, and builds none itself', async () => {
  const directory = temporaryDirectory();
  await buildWebProgram(directory);
  const packaged = assetsOfPackage(pathToFileURL(join(directory, '/')));
  const [served, own] = await Promise.all([packaged.served(), assetsOfSources.served()]);
  for (const part of ['stylesheet', 'script', 'editor'] as const)
    expect(served[part] === own[part], part).toBe(true);
  expect([served.graph.digest, served.diagrams.scripts]).toEqual([own.graph.digest, own.diagrams.scripts]);
  expect(served.graph.text() === own.graph.text()).toBe(true);
  expect(served.diagrams.html() === own.diagrams.html()).toBe(true);
  expect(await served.notices()).toContain(await own.notices());
  const [exported, ownExport] = await Promise.all([packaged.exported(), assetsOfSources.exported()]);
  expect({ ...exported, diagrams: null }).toEqual({ ...ownExport, diagrams: null });
  // Its programs, one for each platform.
  expect(readFileSync(join(directory, 'index.mjs'), 'utf8').includes('@esbuild/')).toBe(false);
});

async function built(): Promise<string> {
  const directory = temporaryDirectory();
  await buildWebFunction(directory);
  return directory;
}

function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'web-build-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}
