import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readTokenFile } from './token-file.ts';

function temporaryFile(): string {
  const directory = mkdtempSync(join(tmpdir(), 'pagetree-token-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return join(directory, 'token');
}

test('reads a file', async () => {
  const path = temporaryFile();
  writeFileSync(path, 'ada:secret\n');
  expect(await readTokenFile(path)).toBe('ada:secret\n');
});

// Windows has no such pipes.
test.runIf(process.platform !== 'win32')('refuses a pipe at once', async () => {
  const path = temporaryFile();
  execFileSync('/usr/bin/env', ['mkfifo', path]);
  await expect(readTokenFile(path)).rejects.toThrow('not a small regular file');
});
