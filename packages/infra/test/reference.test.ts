import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { jsonSchema, withSections } from '../src/reference.ts';

test('docs/deploy.md has the settings and the costs as the code has them (node packages/infra/src/reference.ts)', () => {
  const page = readFileSync(new URL('../../../docs/deploy.md', import.meta.url), 'utf8');
  expect(page).toBe(withSections(page));
});

test('the schema for editors is that of the code (node packages/infra/src/reference.ts)', () => {
  const schema = readFileSync(new URL('../pagetree.schema.json', import.meta.url), 'utf8');
  expect(JSON.parse(schema)).toEqual(jsonSchema());
});
