import { expect, test } from 'vitest';
import { idleCpuMsOf } from '../../../../test/machine-speed.ts';
import { type LinkAddress, nameKey, nameKeysOf, namesWithHashes } from './link-names.ts';

test.each([
  ['a/README.md.md', 'readme'],
  ['wiki/', 'wiki'],
  ['a/B/./.', 'b'],
  ['TCP/IP', 'ip'],
  ['C#', 'c#'],
  ['/', ''],
])('the key of %s is %s', (name, key) => {
  expect(nameKey(name)).toBe(key);
});

test.each<[string, LinkAddress, string[]]>([
  ['[[ Setup |text]]', { kind: 'wiki', target: ' Setup ', query: null, anchor: null }, ['setup']],
  [
    '[[C# Guide #Setup]]',
    { kind: 'wiki', target: 'C', query: null, anchor: ' Guide #Setup' },
    ['c', 'c# guide #setup', 'c# guide'],
  ],
  ['[a](%20A.md#b)', { kind: 'inline', target: ' A.md', query: null, anchor: 'b' }, [' a']],
  [
    '[a](img/chart.png?v=2)',
    { kind: 'inline', target: 'img/chart.png', query: '?v=2', anchor: null },
    ['chart.png', 'chart.png?v=2'],
  ],
])('%s is found under every name that it may mean, and no other', (_, link, keys) => {
  expect(nameKeysOf(link)).toEqual(keys);
});

test('of a name with many # the longest come first, and only some of the others', () => {
  expect([...namesWithHashes('q', '1#2#3')]).toEqual([
    ['q#1#2#3', null],
    ['q#1#2', '3'],
    ['q#1', '2#3'],
  ]);
  const many = [...namesWithHashes('q', '#'.repeat(100))].map(([name]) => name.length);
  expect(many).toEqual([102, 101, 100, 99, 98, 97, 96, 95, 94]);
});

test('the key of a long name takes time in proportion to it', () => {
  // Usually 0.2 ms; a search for its endings from each place took 700.
  expect(idleCpuMsOf(() => nameKey(`${'/.'.repeat(20_000)}x`))).toBeLessThan(100);
});
