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

test('a word that the limit would cut is left out; text without spaces is cut anywhere', () => {
  const words = `${'many words '.repeat(36)}homeless people`;
  expect(leadOf(words, { description: words })).toBe(
    `${'many words '.repeat(36)}\n${'many words '.repeat(36).trim()}`,
  );
  expect(leadOf('漢'.repeat(1_000), {})).toBe('漢'.repeat(400));
});

test('a conversation has no lead but what stands before it, and a label is no turn', () => {
  const turns = ['Ada: Good morning, how are you today?', 'Charles B. (10:15): Fine, thanks for asking me.'];
  const text = ['# Ada and Charles', 'On the first Monday of October.', ...turns, ...turns].join('\n\n');
  expect(leadOf(text, {})).toBe('On the first Monday of October.');
  const labels = ['Example: a page about gardens.', 'Tip: water them in the morning.'];
  expect(leadOf(labels.join('\n'), {})).toBe(labels.join('\n'));
  const frontmatter = '---\nTitle: a\nAuthor: b\nDate: c\nStatus: d\n---\n';
  expect(leadOf(`${frontmatter}${labels.join('\n')}`, {})).toBe(labels.join('\n'));
});
