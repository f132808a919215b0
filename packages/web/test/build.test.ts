import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildWebFunction } from '../build.ts';

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
  expect(Buffer.byteLength(main)).toBeLessThan(1_010_000);
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
    '@aws-sdk/client-lambda',
    'katex',
    '@mermaid-js/tiny',
    'sigma',
    '@codemirror/view',
  ])
    expect(notices.includes(`${name} `), name).toBe(true);
});

async function built(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'web-function-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  await buildWebFunction(directory);
  return directory;
}
