import { expect, test } from 'vitest';
import * as z from 'zod';
import { withoutDefaults } from './given.ts';

const item = z.object({ text: z.string(), all: z.boolean().default(false) });
const schema = z.object({
  limit: z.int().default(50),
  tags: z.array(z.string()).default(['a', 'b']),
  items: z.array(item).optional(),
  one: item.nullable().optional(),
  own: item.default({ text: 'x', all: true }),
  many: z.record(z.string(), z.unknown()).optional(),
});

test.each<[unknown, unknown]>([
  [{}, {}],
  [{ limit: 50 }, {}],
  [{ limit: 51 }, { limit: 51 }],
  [{ tags: ['a', 'b'] }, {}],
  [{ tags: ['b', 'a'] }, { tags: ['b', 'a'] }],
  [{ items: [] }, { items: [] }],
  [{ items: [{ text: 'a', all: false }] }, { items: [{ text: 'a' }] }],
  [{ items: [{ text: 'a', all: true }] }, { items: [{ text: 'a', all: true }] }],
  [{ one: { text: 'a', all: false } }, { one: { text: 'a' } }],
  [{ one: null }, { one: null }],
  [{ one: undefined }, { one: undefined }],
  [{ own: { text: 'x', all: true } }, {}],
  [{ own: { text: 'x', all: false } }, { own: { text: 'x' } }],
  [{ many: { limit: 50, all: false } }, { many: { limit: 50, all: false } }],
  [{ unknown: 50 }, { unknown: 50 }],
  ['text', 'text'],
  [null, null],
])('of %j travels %j, and the other side completes it', (input, given) => {
  expect(withoutDefaults(schema, input)).toStrictEqual(given);
  const parsed = schema.safeParse(input);
  if (parsed.success) expect(schema.parse(withoutDefaults(schema, parsed.data))).toEqual(parsed.data);
});

test('a field that is no list stays as it is where one is expected', () => {
  expect(withoutDefaults(z.array(item), { text: 'a', all: false })).toEqual({ text: 'a', all: false });
});
