import { afterAll } from 'vitest';
import { whatIsOpen } from './open-files.mjs';
import { LEFT_BEHIND } from './results.mjs';
import { rememberState } from './shared-state.mjs';

/*
 * A setup file of vitest: a test file fails if it leaves something open or changed. Both checks
 * always run: what one of them misses would be blamed on the next file.
 */

/** For a file that does not close. */
const TIMEOUT_MS = 300_000;

// Where files share a process, this module alone runs anew for each of them.
const whatIsChanged = rememberState();

afterAll(async () => {
  const found = [whatIsChanged(), await whatIsOpen()].filter((each) => each !== null);
  if (found.length > 0) throw new Error([LEFT_BEHIND, ...found].join('\n'));
}, TIMEOUT_MS);
