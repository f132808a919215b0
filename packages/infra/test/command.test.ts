import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryDirectory } from './synthesize.ts';

test("the destroy command asks first, says what it keeps, and does nothing unless the stack's name is typed", () => {
  for (const answer of ['yes\n', 'pagetree\n', '']) {
    const { status, stderr } = command(['destroy', '--configuration', configuration({})], answer);
    expect(status).toBe(1);
    expect(stderr).toContain('It keeps the file system with all wikis');
    expect(stderr).toContain('Nothing was deleted.');
  }
});

test('the destroy command says so if it deletes the wikis too', () => {
  const file = configuration({ fileSystem: { removal: 'delete' } });
  expect(command(['destroy', '--configuration', file], 'no\n').stderr).toContain('IT DELETES ALL WIKIS');
});

test('a deployment without an alarm address says that nobody will be notified', () => {
  const { stderr } = command(['deploy', '--configuration', configuration({ region: 'us-east-2' })]);
  expect(stderr).toContain('alarmAddress');
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
