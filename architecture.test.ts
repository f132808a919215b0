import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const files = execFileSync('git', ['ls-files'], { cwd: import.meta.dirname, encoding: 'utf8' }).split('\n');
const DOCUMENTS = ['docs/architecture.md', 'CONTRIBUTING.md', 'packages/wiki/src/storage/repair/README.md'];
const MAX_SOURCES = 20;

test.each(DOCUMENTS)('every file that %s names exists', (document) => {
  const text = readFileSync(join(import.meta.dirname, document), 'utf8');
  const named = [...text.matchAll(/`([\w./*<>-]+\.(?:ts|json))`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(5);
  const isThere = (path: string) => files.some((file) => `/${file}`.endsWith(`/${path}`));
  expect(named.filter((path) => !/[*<]/.test(path) && !isThere(path))).toEqual([]);
});

test('no folder has more than 20 source files', () => {
  const sources = files.filter((file) => /\.(?:ts|mjs)$/.test(file) && !/\.(?:test|suite)\.ts$/.test(file));
  const folders = Map.groupBy(sources, dirname);
  expect([...folders].filter(([, inside]) => inside.length > MAX_SOURCES).map(([folder]) => folder)).toEqual(
    [],
  );
});
