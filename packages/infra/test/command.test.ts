import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryDirectory } from './synthesize.ts';

test('to destroy asks, says what it keeps, and does nothing without the name of the stack', () => {
  for (const answer of ['yes\n', 'pagetree\n', '']) {
    const { status, stderr } = command(['destroy', '--configuration', configuration({})], answer);
    expect(status).toBe(1);
    expect(stderr).toContain('It keeps the file system with all wikis');
    expect(stderr).toContain('Nothing was deleted.');
  }
});

test('to destroy says so where the wikis go as well', () => {
  const file = configuration({ fileSystem: { removal: 'delete' } });
  expect(command(['destroy', '--configuration', file], 'no\n').stderr).toContain('IT DELETES ALL WIKIS');
});

test.each([[[]], [['delete']], [['synth', 'deploy']], [['synth', '--config', 'x.json']]])(
  '%j is answered with how to do it',
  (args) => {
    const { status, stderr } = command(args);
    expect(status).toBe(1);
    expect(stderr).toContain('Usage: pnpm synth');
    expect(stderr).not.toContain('    at ');
  },
);

function configuration(content: object): string {
  const file = join(temporaryDirectory(), 'pagetree.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
}

function command(args: readonly string[], input = '') {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  return spawnSync(process.execPath, [main, ...args], { encoding: 'utf8', input });
}
