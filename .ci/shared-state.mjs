import { vi } from 'vitest';

/*
 * Knows what a test file leaves changed that other files share: the environment, the folder of the process, and the clock.
 * Files that share their process would find it so, and which one comes next is chance. What `vi.stubEnv` and
 * `vi.stubGlobal` set is put back.
 */

const before = { ...process.env };
const folder = process.cwd();
const { now } = Date;

/** What was left changed, put back now, as one text; null if there is nothing. */
export function whatIsChanged() {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  const left = changedVariables();
  for (const name of left) setVariable(name, before[name]);
  if (process.cwd() !== folder) {
    process.chdir(folder);
    left.push('the folder of the process');
  }
  if (vi.isFakeTimers() || vi.getMockedSystemTime() !== null) {
    vi.useRealTimers();
    left.push('fake timers');
  }
  if (Date.now !== now) {
    Date.now = now;
    left.push('Date.now');
  }
  return left.length === 0 ? null : `These were left behind: ${left.join(', ')}`;
}

function changedVariables() {
  const names = new Set([...Object.keys(before), ...Object.keys(process.env)]);
  return [...names].filter((name) => process.env[name] !== before[name]).toSorted();
}

/** A variable that is set to `undefined` would be the text "undefined". */
function setVariable(name, value) {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}
