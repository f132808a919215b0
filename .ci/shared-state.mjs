import { afterAll, vi } from 'vitest';

/*
 * A setup file of vitest: a test file fails if it leaves the environment changed, or the clock stopped. Files that share their
 * process would find it so, and which one comes next is chance. What `vi.stubEnv` and `vi.stubGlobal` set is put back.
 */

const before = { ...process.env };

afterAll(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  const left = changedVariables();
  for (const name of left) setVariable(name, before[name]);
  if (vi.isFakeTimers()) {
    vi.useRealTimers();
    left.push('fake timers');
  }
  if (left.length > 0) throw new Error(`These were left behind: ${left.join(', ')}`);
});

function changedVariables() {
  const names = new Set([...Object.keys(before), ...Object.keys(process.env)]);
  return [...names].filter((name) => process.env[name] !== before[name]).toSorted();
}

/** A variable that is set to `undefined` would be the text "undefined". */
function setVariable(name, value) {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}
