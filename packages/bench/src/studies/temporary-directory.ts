import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** For one test, removed after it. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'study-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
