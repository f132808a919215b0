import { expect, test } from 'vitest';
import * as z from 'zod';
import { describeIssue } from './describe-issue.ts';

test.each<[schema: z.ZodType, value: unknown, fault: string]>([
  [z.string(), undefined, 'is missing'],
  [z.string(), null, 'must be a string, not null'],
  [z.string(), [], 'must be a string, not a list'],
  [z.string(), {}, 'must be a string, not an object'],
  [z.string(), false, 'must be a string, not false'],
  [z.string(), 1n, 'must be a string, not bigint'],
  [z.number(), 'x', 'must be a number, not a string'],
  [z.int(), 1.5, 'must be a whole number, not 1.5'],
  [z.boolean(), 'x', 'must be true or false, not a string'],
  [z.array(z.string()), 'x', 'must be a list, not a string'],
  [z.object({}), 'x', 'must be an object, not a string'],
  [z.record(z.string(), z.string()), 'x', 'must be an object, not a string'],
  [z.date(), 'x', 'must be date, not a string'],
  [z.enum(['a', 'b']), undefined, 'is missing; it is one of "a", "b"'],
  [z.enum(['a', 'b']), 'c', 'must be one of "a", "b"'],
  [z.base64(), '%', 'must be Base64'],
  [z.string().regex(/^a$/), 'b', 'does not fit'],
  [z.string().min(1), '', 'must not be empty'],
  [z.string().min(2), 'a', 'must have at least 2 characters'],
  [z.string().max(1), 'ab', 'must have at most 1 characters'],
  [z.array(z.string()).min(1), [], 'must not be empty'],
  [z.array(z.string()).min(2), ['a'], 'must have at least 2 items'],
  [z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 items'],
  [z.number().min(1), 0, 'must be at least 1'],
  [z.number().max(2), 3, 'must be at most 2'],
  [z.record(z.string().min(1), z.string()), { '': 'x' }, 'cannot be a key'],
  [z.strictObject({}), keys(8), `takes no ${named(8)}`],
  [z.strictObject({}), keys(9), `takes no ${named(8)}, …`],
  [z.strictObject({}), { ['x'.repeat(80)]: 1 }, `takes no "${'x'.repeat(80)}"`],
  [z.strictObject({}), { ['x'.repeat(81)]: 1 }, `takes no "${'x'.repeat(80)}…"`],
  [z.union([z.string(), z.number()]), true, 'does not fit'],
])('an argument that does not fit, number %#', (schema, value, fault) => {
  const { error } = schema.safeParse(value, { error: describeIssue });
  expect(error?.issues.map(({ message }) => message)).toEqual([fault]);
});

function keys(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]));
}

function named(count: number): string {
  return Object.keys(keys(count))
    .map((key) => `"${key}"`)
    .join(', ');
}
