import { afterAll } from 'vitest';
import { whatIsOpen } from './open-files.mjs';
import { rememberState } from './shared-state.mjs';

/*
 * A setup file of vitest: a test file fails if it leaves something open or changed. One check does not keep the other one
 * from its look: what it misses would be blamed on the next file.
 */

/** For a file that does not close. */
const TIMEOUT_MS = 300_000;

// Of the modules of a process that files share, this one alone runs anew for each file.
const whatIsChanged = rememberState();

afterAll(async () => {
  const found = [whatIsChanged(), await whatIsOpen()].filter((each) => each !== null);
  if (found.length > 0) throw new Error(found.join('\n'));
}, TIMEOUT_MS);
