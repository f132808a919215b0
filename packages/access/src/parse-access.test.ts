import { expect, test } from 'vitest';
import { parseAccess } from './parse-access.ts';

const rule = { people: ['ada@example.org'], wikis: ['main'], may: 'read' };

test('addresses are taken in lower case and folders in NFC; subjects and groups stay as they are', () => {
  const written = {
    people: ['Ada@Example.ORG', 'sub:AbC|1'],
    groups: ['Editors'],
    wikis: ['main', '*'],
    folders: ['E\u0301/'],
    may: 'write',
  };
  expect(parse({ version: 1, rules: [written] })).toEqual({
    kind: 'access',
    access: {
      version: 1,
      rules: [{ ...written, people: ['ada@example.org', 'sub:AbC|1'], folders: ['\u00c9/'] }],
    },
  });
  expect(parse({ version: 1, rules: [] }).kind).toBe('access');
  expect(parseAccess('\ufeff{ "version": 1, "rules": [] }').kind).toBe('access');
});

test.each<[fault: string, json: unknown]>([
  ['it must be an object', []],
  ['it takes no "rulez"', { version: 1, rules: [], rulez: [] }],
  ['"version" is missing; it must be 1', { rules: [] }],
  ['"version" must be 1', { version: 2, rules: [] }],
  ['"rules" is missing; it must be a list of rules', { version: 1 }],
  ['rule 1 must be an object', { version: 1, rules: ['all'] }],
])('%s', (fault, json) => {
  expect(sentence(json)).toContain(`The access file does not fit: ${fault}`);
});

test.each<[fault: string, change: Record<string, unknown>]>([
  ['rule 2 takes no "maybe"', { maybe: 'read' }],
  ['rule 2 names nobody; give it "people", "groups" or "everyone"', { people: undefined }],
  ['rule 2 is for everyone and names some as well', { everyone: true }],
  ['"everyone" of rule 2 must be true, or be left out', { everyone: false }],
  ['"people" of rule 2 must be a list', { people: 'ada@example.org' }],
  ['"people" of rule 2 must not be empty', { people: [] }],
  ['"people" of rule 2 has an entry that must be an email address, or "sub:"', { people: ['Ada Lovelace'] }],
  ['not "sub:"', { people: ['sub:'] }],
  ['not "@"', { people: ['@'] }],
  ['not "a@b@c"', { people: ['a@b@c'] }],
  ['"people" of rule 2 has an entry that must be a text', { people: [1] }],
  ['"people" of rule 2 has an entry that must be a text', { people: [null] }],
  ['"groups" of rule 2 has an entry that must be the name of a group', { groups: [''] }],
  ['"groups" of rule 2 has an entry that must be the name of a group', { groups: ['a\nb'] }],
  ['"groups" of rule 2 has an entry that must be the name of a group', { groups: ['\na'] }],
  ['"groups" of rule 2 has an entry that must be the name of a group', { groups: ['a\n'] }],
  ['"groups" of rule 2 has an entry that must be the name of a group', { groups: ['a'.repeat(256)] }],
  ['"groups" of rule 2 has an entry that must be a text', { groups: [1] }],
  ['"wikis" of rule 2 has an entry that must be a text', { wikis: [1] }],
  ['"folders" of rule 2 has an entry that must be a text', { folders: [1] }],
  ['rule 2 is for everyone and names some as well', { people: undefined, groups: ['a'], everyone: true }],
  ['"wikis" of rule 2 is missing; it must be a list', { wikis: undefined }],
  ['not "Main"', { wikis: ['Main'] }],
  ['not "main*"', { wikis: ['main*'] }],
  ['not "Guides"; for a whole wiki leave "folders" out', { folders: ['Guides'] }],
  ['"folders" of rule 2 has an entry that must be a folder', { folders: [''] }],
  ['not "../"', { folders: ['../'] }],
  ['not "/"', { folders: ['/'] }],
  ['"folders" of rule 2 must not be empty', { folders: [] }],
  ['"may" of rule 2 is missing; it must be "read", "write" or "administer"', { may: undefined }],
  ['"may" of rule 2 must be "read", "write" or "administer"', { may: 'own' }],
  ['rule 2 is about folders; "administer" is for whole wikis', { may: 'administer', folders: ['Guides/'] }],
])('%s', (fault, change) => {
  expect(sentence({ version: 1, rules: [rule, { ...rule, ...change }] })).toContain(fault);
});

test('a mistake is said in few words, however many there are and however long they are', () => {
  const bad = { ...rule, may: 'own' };
  const fault = (number: number) => `"may" of rule ${number} must be "read", "write" or "administer"`;
  const faults = (count: number) => sentence({ version: 1, rules: Array.from({ length: count }, () => bad) });
  const start = 'The access file does not fit: ';
  expect(faults(2)).toBe(`${start}${fault(1)}; ${fault(2)}.`);
  expect(faults(5)).toBe(`${start}${[1, 2, 3, 4, 5].map(fault).join('; ')}.`);
  expect(faults(6)).toBe(`${start}${[1, 2, 3, 4, 5].map(fault).join('; ')}; and 1 more.`);
  const keys = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((key) => [key, 1]));
  expect(sentence({ version: 1, rules: [], ...keys })).toBe(`${start}it takes no "a", "b", "c", "d", "e".`);
  const long = { ...rule, wikis: ['X'.repeat(200)] };
  expect(sentence({ version: 1, rules: [long] })).toContain(`not ${JSON.stringify('X'.repeat(80))}.`);
  expect(sentence({ version: [1], rules: [] })).toBe(
    `${start}"version" must be 1, the version of this format.`,
  );
  const tooMany = { version: 1, rules: Array.from({ length: 10_001 }, () => rule) };
  expect(sentence(tooMany)).toBe(`${start}"rules" must have at most 10000 rules.`);
  const notJson = parseAccess(`{${'x'.repeat(1_000)}`);
  expect(notJson.kind === 'mistake' && notJson.sentence.length).toBeLessThan(240);
});

test('a byte order mark is passed over at the start alone', () => {
  expect(parseAccess('{ "version": 1, \ufeff"rules": [] }').kind).toBe('mistake');
});

test('what is not JSON is said in one line, and many faults are cut', () => {
  expect(parseAccess('{ "rules": ')).toEqual({
    kind: 'mistake',
    sentence: expect.stringMatching(/^The access file is not JSON: .*\.$/),
  });
  const many = Array.from({ length: 12 }, () => ({ ...rule, may: 'own' }));
  expect(sentence({ version: 1, rules: many })).toMatch(/; and 7 more\.$/);
});

function parse(json: unknown) {
  return parseAccess(JSON.stringify(json));
}

function sentence(json: unknown): string {
  const parsed = parse(json);
  if (parsed.kind !== 'mistake') throw new Error('no fault was found');
  expect(parsed.sentence).toMatch(/^[^\n]+\.$/);
  return parsed.sentence;
}
