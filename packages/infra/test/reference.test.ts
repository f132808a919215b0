import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { jsonSchema, PAGES, withSections } from '../src/reference.ts';

test.each(PAGES)(
  '%s has the settings and the costs as the code has them (node packages/infra/src/reference.ts)',
  (page) => {
    const text = readFileSync(new URL(`../../../${page}`, import.meta.url), 'utf8');
    expect(text).toBe(withSections(page, text));
  },
);

test('the schema for editors is that of the code (node packages/infra/src/reference.ts)', () => {
  const schema = readFileSync(new URL('../pagetree.schema.json', import.meta.url), 'utf8');
  expect(JSON.parse(schema)).toEqual(jsonSchema());
});
