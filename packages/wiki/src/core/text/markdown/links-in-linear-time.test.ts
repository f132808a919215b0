import { expect, test } from 'vitest';
import { idleCpuMsOf } from '../../../../test/machine-speed.ts';
import { scanBlocks } from './markdown-blocks.ts';
import { scanInline } from './markdown-links.ts';

const links = (text: string) => scanInline(text, scanBlocks(text)).links;

test.each([
  '[',
  '[[',
  '![',
  '[a](',
  '[a](<',
  '[a](b "',
  '[a](b (',
  "[a](b '",
  '`',
  '``a`',
  '<',
  '<a ',
  '<a b="',
  '<a href=" ',
  '<a href=x>',
  '> [a](\n',
  '<!--',
  '<code>',
  '\\',
  ']',
  '[a]',
  '[[a',
  '[[a]',
  '#',
  ' #a',
  '![[a]]',
  '[a](b)',
  '(',
  '[a]((',
  '<x:',
  '[a]: b\n',
  '[a]: b\n"c" d\n\n',
  '[a]:\n',
  'a ',
])('a text of a million characters of %j takes linear time', (unit) => {
  const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
  expect(idleCpuMsOf(() => links(text))).toBeLessThan(2_500);
});

test('a text with runs of backticks of every length takes linear time', () => {
  const text = Array.from({ length: 1_400 }, (_, length) => `${'`'.repeat(length + 1)} `).join('');
  expect(idleCpuMsOf(() => links(text))).toBeLessThan(1_000);
});
