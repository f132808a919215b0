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

test('a conversation is one near its beginning, by at least four lines that begin with a name', () => {
  const speakers = [
    'Ada Lovelace',
    'Ada King Lovelace',
    'J. R. Hartley',
    'Ada(10:15)',
    "Zo\u00eb O'Neil (8)",
  ];
  for (const speaker of speakers) {
    const turn = `${speaker}: This is what I have to say.`;
    expect(leadOf(`${turn}\n`.repeat(4), {}), speaker).toBe('');
    expect(leadOf(`${turn}\n`.repeat(3), {}), speaker).toBe([turn, turn, turn].join('\n'));
  }
  for (const other of ['Step 1', 'then Ada', 'ada', 'Ada, Bo', 'Ada Bo Cy Di', 'Ada ()']) {
    const line = `${other}: This is what I have to say.`;
    expect(leadOf(`${line}\n`.repeat(4), {}), other).toBe([line, line, line, line].join('\n'));
  }
  const turn = 'Ada: This is what I have to say.\n';
  const late = (characters: number) => `${turn.repeat(3)}# ${'x'.repeat(characters)}\n${turn}`;
  expect(leadOf(late(3_900), {})).toBe(turn.repeat(4).trim());
  expect(leadOf(late(3_800), {})).toBe('');
});

test('prose is a line of more than 20 characters among the first 200 lines', () => {
  const [short, long] = ['12345678901234567890', '123456789012345678901'];
  expect(leadOf(`${short}\n${long}\n${short}`, {})).toBe(long);
  expect(leadOf(`${'\n'.repeat(199)}${long}`, {})).toBe(long);
  expect(leadOf(`${'\n'.repeat(200)}${long}`, {})).toBe('');
});

test('code ends at the fence that began it, and a fence begins its line', () => {
  const line = 'A line that is long enough for prose.';
  const code = 'a line that is no prose at all';
  expect(leadOf(`\`\`\`\n${code}\n~~~\n${code}\n\`\`\`\n${line}`, {})).toBe(line);
  expect(leadOf(`A line with \`\`\`code\`\`\` is one of prose.\n${line}`, {})).toBe(
    `A line with \`\`\`code\`\`\` is one of prose.\n${line}`,
  );
});

test('the lines of prose have at most 400 characters together, and what follows a cut line is left out', () => {
  const line = `${'word '.repeat(59)}words`;
  const cut = 'word '.repeat(20).trim();
  expect(leadOf(`${line}\n${line}\n${line}`, {})).toBe(`${line}\n${cut}`);
  const endless = `${'word '.repeat(75)}${'x'.repeat(39)}`;
  expect(leadOf(`${endless}\n${'short words '.repeat(2)}`, {})).toBe('word '.repeat(75).trim());
  const exact = `${'word '.repeat(79)}words`;
  expect(leadOf('', { description: exact })).toBe(exact);
});
