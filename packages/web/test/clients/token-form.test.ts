import type { Given } from '@pagetree/access/given-rights';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  FRESH_FIELDS,
  givenBy,
  placeLines,
  type TokenFields,
  tokenOf,
} from '../../src/clients/token-form.ts';

const NOW_MS = 1_000_000;
const DAY_MS = 86_400_000;

function formOf(fields: Partial<TokenFields>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

const tokenBy = (fields: Partial<TokenFields>) => {
  const read = tokenOf(formOf({ ...FRESH_FIELDS, name: 'Mine', ...fields }), NOW_MS);
  return read.kind === 'fault' ? read : read.token;
};

test('a form that says only a name makes a token that reads everything for ninety days', () => {
  expect(FRESH_FIELDS).toMatchObject({ name: '', where: '' });
  expect(tokenBy({})).toEqual({
    ...{ name: 'Mine', given: { may: 'read', wikis: null }, untilMs: NOW_MS + 90 * DAY_MS },
  });
  for (const days of ['7', '30', '365'])
    expect(tokenBy({ days })).toMatchObject({ untilMs: NOW_MS + Number(days) * DAY_MS });
  expect(tokenBy({ may: 'write' })).toMatchObject({ given: { may: 'write' } });
});

test.each([
  [' \r\n\t\n', null],
  ['main', [['main', '']]],
  [
    ' main \r\n \r\nother',
    [
      ['main', ''],
      ['other', ''],
    ],
  ],
  ['main/Guides', [['main', 'Guides/']]],
  ['main/Guides/Deep//', [['main', 'Guides/Deep/']]],
  ['main/', [['main', '']]],
  ['main/A\u0308rzte', [['main', 'Ärzte/']]],
] as [string, [string, string][] | null][])('the places %j are those that are given', (where, places) => {
  const wikis = places?.map(([wiki, folder]) => ({ wiki, folders: [folder] })) ?? null;
  expect(tokenBy({ where })).toMatchObject({ given: { wikis } });
});

test('a form that is refused comes back as it was typed', () => {
  const fields = { name: 'a b', may: 'admin', where: ' main\r\n../x ', days: '30' };
  const refused = { kind: 'fault', fields: { ...fields, where: ' main\n../x ' } };
  expect(tokenBy(fields)).toMatchObject(refused);
  expect(tokenBy({ ...fields, name: '' })).toMatchObject({ ...refused, fields: { name: '' } });
  expect(givenBy(formOf(fields))).toMatchObject({ kind: 'fault', may: 'admin', where: ' main\n../x ' });
});

test('the lines of what was given give the same again', () => {
  const folder = fc
    .stringMatching(/^(?:[A-Za-zÄé0-9 ]{0,8}[A-Za-z0-9]\/){0,3}$/)
    .map((text) => text.trimStart());
  const place = fc.record({
    wiki: fc.constantFrom('main', 'other'),
    folders: fc.array(folder, { minLength: 1, maxLength: 3 }),
  });
  fc.assert(
    fc.property(fc.constantFrom('read', 'write'), fc.array(place, { maxLength: 4 }), (may, wikis) => {
      const given = { may, wikis: wikis.length === 0 ? null : wikis } as Given;
      const read = givenBy(formOf({ may, where: placeLines(given).join('\r\n') }));
      if (read.kind === 'fault') throw new Error(read.sentence);
      const pairs = ({ wikis: each }: Given) =>
        each?.flatMap(({ wiki, folders }) => folders.map((path) => [wiki, path.normalize('NFC')])) ?? null;
      expect([read.given.may, pairs(read.given)]).toEqual([may, pairs(given)]);
    }),
  );
});
