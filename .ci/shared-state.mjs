import { vi } from 'vitest';

/*
 * Knows what a test file leaves changed that other files share: the environment, the folder of the process, and the clock.
 * Files that share their process would find it so, and which one comes next is chance. What `vi.stubEnv` and
 * `vi.stubGlobal` set is put back.
 */

/**
 * Looks at all of it before a test file: vitest itself changes the environment between files. Call the answer after the
 * file. It gives what was left changed, and is put back now, as one text; null if there is nothing.
 */
export function rememberState() {
  const before = { ...process.env };
  const folder = process.cwd();
  const clock = globalThis.Date;
  const { now } = clock;
  return () => {
    vi.unstubAllEnvs();
    vi.unstubAllGlobals();
    const left = putVariablesBack(before);
    if (process.cwd() !== folder) {
      process.chdir(folder);
      left.push('the folder of the process');
    }
    if (vi.isFakeTimers()) {
      vi.useRealTimers();
      left.push('fake timers');
    }
    if (globalThis.Date !== clock || clock.now !== now) {
      globalThis.Date = clock;
      clock.now = now;
      left.push('the clock');
    }
    return left.length === 0 ? null : `These were left behind: ${left.join(', ')}`;
  };
}

/** The names of those that were changed. */
function putVariablesBack(before) {
  const names = new Set([...Object.keys(before), ...Object.keys(process.env)]);
  const changed = [...names].filter((name) => process.env[name] !== before[name]).toSorted();
  for (const name of changed) setVariable(name, before[name]);
  return changed;
}

/** A variable that is set to `undefined` would be the text "undefined". */
function setVariable(name, value) {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}
