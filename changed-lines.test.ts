import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { changedLines } from './changed-lines.ts';

test('the changed lines of a diff are those that git names, by file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'changed-lines-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: directory }).toString();
  const write = (file: string, ...lines: string[]) =>
    writeFileSync(join(directory, file), lines.map((line) => `${line}\n`).join(''));
  git('init', '-q');
  write('changed.ts', 'a', 'b', 'c', 'd', 'e', 'f', 'g');
  write('shorter.ts', 'a', 'b');
  write('gone.ts', 'a');
  writeFileSync(join(directory, 'a.ts'), 'a');
  git('add', '.');
  writeFileSync(join(directory, 'a.ts'), 'b');
  write('changed.ts', 'a', 'B', 'c', 'd', '++ e', 'f', '@@ -1 +1 @@');
  write('shorter.ts', 'a');
  rmSync(join(directory, 'gone.ts'));
  write('new.ts', '1', '2', '3');
  git('add', '--intent-to-add', 'new.ts');
  expect(changedLines(git('diff', '--unified=0', '--no-prefix'))).toEqual([
    ['a.ts', ['1-1']],
    ['changed.ts', ['2-2', '5-5', '7-7']],
    ['new.ts', ['1-3']],
  ]);
});
