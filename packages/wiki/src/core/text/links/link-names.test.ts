import { expect, test } from 'vitest';
import { idleCpuMsOf } from '../../../../test/machine-speed.ts';
import { nameKey } from './link-names.ts';

test.each([
  ['a/README.md.md', 'readme'],
  ['w/', 'w'],
  ['a/B/./.', 'b'],
  ['TCP/IP', 'ip'],
  ['C#', 'c#'],
  ['/', ''],
])('the key of %s is %s', (name, key) => {
  expect(nameKey(name)).toBe(key);
});

test('the key of a long name takes time in proportion to it', () => {
  // Usually 0.2 ms; a search for its endings from each place took 700.
  expect(idleCpuMsOf(() => nameKey(`${'/.'.repeat(20_000)}x`))).toBeLessThan(100);
});
