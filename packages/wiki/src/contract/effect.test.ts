import { expect, test } from 'vitest';
import { effectOf, goesOnLater } from './effect.ts';
import type { OperationName } from './operations.ts';

test.each<[OperationName, unknown, 'read' | 'write', boolean]>([
  ['read_page', { path: 'A' }, 'read', false],
  ['write_page', { path: 'A', content: '' }, 'write', false],
  ['write_page', { path: 'A', content: '', dry_run: false }, 'write', false],
  ['write_page', { path: 'A', content: '', dry_run: true }, 'read', false],
  ['write_page', { path: 'A', content: '', mode: 'check' }, 'write', false],
  ['write_page', null, 'write', false],
  ['maintain_wiki', { mode: 'check' }, 'read', true],
  ['maintain_wiki', { mode: 'tidy' }, 'write', true],
  ['maintain_wiki', { mode: 'tidy', once_a_night: false }, 'write', true],
  ['maintain_wiki', { mode: 'tidy', once_a_night: true }, 'write', false],
  ['maintain_wiki', undefined, 'write', true],
])('%s with %j is a %s, and goes on in a later call: %s', (operation, input, effect, later) => {
  expect([effectOf(operation, input), goesOnLater(operation, input)]).toEqual([effect, later]);
});
