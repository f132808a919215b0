import { operationNames } from '@pagetree/wiki/contract';
import { expect, test } from 'vitest';
import { neededRight } from '../src/needed-rights.ts';
import { type Target, VARIANTS } from './matrix/calls.ts';

const caller = { author: { name: 'Ada', email: 'ada@example.org' }, agent: null };
const target: Target = {
  ...{ wiki: 'team', path: 'Guides/Start', treePath: 'Guides/Start.md', file: 'own.png' },
  ...{ version: 'a', fileVersion: 'a', commit: 'a', known: 'a', number: 1, zip: 'UEsDBA==' },
  place: 'Guides/',
};

test.each(VARIANTS.filter(({ needs }) => needs !== 'any'))(
  'a call of $name needs the right to $needs in its wiki, as the table of all calls has it',
  ({ name, needs, input }) => {
    expect(neededRight(name, input(target), { caller })).toBe(needs);
  },
);

test('the right to administer is for what concerns a whole wiki or the server, and for nothing else', () => {
  const owners = operationNames.filter((name) => neededRight(name, {}, { caller }) === 'administer');
  expect(owners.toSorted()).toEqual([
    ...['create_wiki', 'get_remote', 'list_remotes', 'maintain_wiki', 'report_sync', 'set_remote'],
  ]);
  expect(neededRight('list_wikis', {}, { caller })).toBe('read');
});

const ZIP = Buffer.from('PK\u0003\u0004');
const BUNDLE = Buffer.from('# v2 git bundle\n');

test.each<[what: string, content: string | undefined, bytes: Uint8Array | undefined, right: string]>([
  ['a bundle in Base64', BUNDLE.toString('base64'), undefined, 'administer'],
  ['a bundle in bytes', undefined, BUNDLE, 'administer'],
  ['a bundle in bytes beside a zip in Base64', ZIP.toString('base64'), BUNDLE, 'administer'],
  ['the beginning of a bundle', Buffer.from('# v').toString('base64'), undefined, 'administer'],
  ['a zip in Base64', ZIP.toString('base64'), undefined, 'write'],
  ['a zip in bytes', undefined, ZIP, 'write'],
  ['a text', Buffer.from('# x').toString('base64'), undefined, 'write'],
  ['less than a beginning', Buffer.from('#').toString('base64'), undefined, 'write'],
  ['nothing', undefined, undefined, 'write'],
])('the right that an import needs is found by how it begins: %s', (_, content, bytes, right) => {
  const call = { caller, ...(bytes && { bytes }) };
  expect(neededRight('import_wiki', { content }, call)).toBe(right);
});

test.each([
  ['bundle', 'administer'],
  ['zip', 'read'],
  [undefined, 'read'],
])('an export as %s needs the right to %s', (format, right) => {
  expect(neededRight('export_wiki', { format }, { caller })).toBe(right);
});
