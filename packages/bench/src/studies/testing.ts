import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { StudyOptions, TargetName } from './study.ts';

/** A study on a target, in a directory of one test. */
export function testOptions(target: TargetName, rounds = 1): StudyOptions {
  const aws = { region: undefined, stack: 'Pagetree' };
  return { target, rounds, out: temporaryDirectory(), roundTripMs: 1, aws };
}

/** For one test, removed after it. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'study-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
