import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect } from 'vitest';

/*
 * A setup file of vitest: a test file fails if it leaves a file open.
 *
 * Node closes a lost handle when it happens to collect garbage, with a warning, and with an error in versions to come.
 * This does not wait for that: it counts what `node:fs/promises` opens and closes.
 */

/** For what ends after its caller has its answer. A slow machine makes each pause longer. */
const MAX_PAUSES = 250;
const PAUSE_MS = 20;
/** For a file that does not close. */
const TIMEOUT_MS = 300_000;
const MAX_FRAMES = 30;
const MAX_SHOWN = 5;

/** Each open handle, with the place where it was opened. Test files may share their process. */
const opened = trackHandles();

afterAll(async () => {
  for (let pauses = 0; opened.size > 0 && pauses < MAX_PAUSES; pauses += 1) await wait(PAUSE_MS);
  const left = [...opened];
  // The next file in this process is not to blame.
  opened.clear();
  if (left.length === 0) return;
  await Promise.all(left.map(([handle]) => handle.close()));
  const places = left.slice(0, MAX_SHOWN).map(([, place]) => place);
  throw new Error(`${left.length} files were left open, among them:\n${places.join('\n')}`);
}, TIMEOUT_MS);

function trackHandles() {
  const key = Symbol.for('pagetree.open-files');
  if (globalThis[key] === undefined) {
    const handles = new Map();
    const { open } = files;
    files.open = async (...given) => {
      const place = describePlace(given[0]);
      const handle = await open(...given);
      handles.set(handle, place);
      handle.once('close', () => handles.delete(handle));
      return handle;
    };
    syncBuiltinESMExports();
    globalThis[key] = handles;
  }
  return globalThis[key];
}

function describePlace(path) {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = MAX_FRAMES;
  const [, , , ...frames] = new Error().stack.split('\n');
  Error.stackTraceLimit = stackTraceLimit;
  const own = frames.filter((frame) => !frame.includes('/node_modules/'));
  return [`${path}, by "${expect.getState().currentTestName}"`, ...own].join('\n');
}
