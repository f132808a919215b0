import { expect, test } from 'vitest';
import { leadOf } from './lead.ts';

test('the lead is the description and the first prose, without headings, code and lists', () => {
  const text = [
    '---\ndescription: told before\n---',
    '# Title',
    "import Card from './card';",
    '```js\nconst code = "this is no prose at all";\n```',
    '- an entry of a list that is long enough',
    'This page explains how backups are made.',
    'And where they are kept afterwards.',
  ].join('\n');
  expect(leadOf(text, { description: 'How to keep copies' })).toBe(
    'How to keep copies\nThis page explains how backups are made.\nAnd where they are kept afterwards.',
  );
});

test('a page without prose, or with one endless line, has a short lead', () => {
  expect(leadOf('```\n'.repeat(100_000), {})).toBe('');
  expect(leadOf('x'.repeat(1_000_000), { description: 'y'.repeat(1_000_000) }).length).toBeLessThan(1_000);
});
