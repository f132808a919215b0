import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Access, parseAccess } from '../parse-access.ts';
import { rightsOf } from '../rights.ts';
import { rightsClaim } from './claims.ts';
import { largestGrant, MAX_RIGHTS_BYTES } from './largest-grant.ts';
import { openSigner } from './sign-grant.ts';

const PEOPLE = ['ada@example.org', 'grace@example.org', 'sub:1'];
const some = <T>(values: readonly T[]) => fc.subarray([...values], { minLength: 1 });
const who = fc.oneof(
  fc.record({ everyone: fc.constant(true as const) }),
  fc.record({ people: some(PEOPLE) }),
  fc.record({ groups: some(['a', 'b']) }),
  fc.record({ people: some(PEOPLE), groups: some(['a', 'b']) }),
);
const what = fc.oneof(
  fc.record({
    may: fc.constantFrom('read' as const, 'write' as const),
    folders: some(['A/', 'A/B/', 'Ü "x"/', 'C/']),
  }),
  fc.record({ may: fc.constantFrom('read' as const, 'write' as const, 'administer' as const) }),
);
const where = fc.record({ wikis: some(['*', 'main', 'other', 'third']) });
const rule = fc.tuple(who, what, where).map((parts): Access['rules'][number] => Object.assign({}, ...parts));

test('no person has more rights than are counted, whatever the rules are', () => {
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 8 }), fc.subarray(['a', 'b']), (rules, groups) => {
      const access: Access = { version: 1, rules };
      const { bytes } = largestGrant(access);
      for (const entry of [...PEOPLE, 'nobody']) {
        const subject = entry.replace('sub:', '');
        const person = { issuer: '', subject, email: entry, name: '', groups };
        const claim = JSON.stringify(rightsClaim(rightsOf(person, access)));
        expect(Buffer.byteLength(claim)).toBeLessThanOrEqual(bytes);
      }
    }),
    { numRuns: 1_000 },
  );
});

const NAMES = Array.from({ length: 30 }, (_, at) => `wiki-${at}`);
const FOLDERS = Array.from({ length: 40 }, (_, at) => `Folder ${at}/`);

test.each<[what: string, rules: object[]]>([
  ['whole wikis', [{ wikis: NAMES, may: 'write' }]],
  ['folders to read', [{ wikis: NAMES, folders: FOLDERS, may: 'read' }]],
  ['folders to write', [{ wikis: NAMES, folders: FOLDERS, may: 'write' }]],
  ['wikis that several rules name', FOLDERS.map((each) => ({ wikis: NAMES, folders: [each], may: 'read' }))],
  [
    'folders of every wiki, and wikis of their own',
    [
      { wikis: ['*'], folders: FOLDERS, may: 'write' },
      { wikis: NAMES, folders: ['Own/'], may: 'read' },
    ],
  ],
])('the count of %s is hardly more than the rights take', (_, rules) => {
  const access = { version: 1, rules: rules.map((each) => ({ everyone: true, ...each })) } as Access;
  const person = { issuer: '', subject: 'ada', email: null, name: '', groups: [] };
  const exact = Buffer.byteLength(JSON.stringify(rightsClaim(rightsOf(person, access))));
  const { bytes } = largestGrant(access);
  expect(bytes).toBeGreaterThanOrEqual(exact);
  // One entry more is counted, and a comma behind each last folder.
  const anEntry = exact / NAMES.length;
  expect(bytes).toBeLessThan(exact + anEntry + 5 * NAMES.length);
});

test('a grant with the most rights leaves room for the largest attachment, which takes 6,000,000 bytes', async () => {
  const folders = Array.from({ length: 1_260 }, (_, at) => `Folder with a long name, number ${at}/`);
  const access: Access = { version: 1, rules: [{ everyone: true, wikis: ['main'], folders, may: 'write' }] };
  const { bytes } = largestGrant(access);
  expect(bytes).toBeGreaterThan(0.9 * MAX_RIGHTS_BYTES);
  expect(bytes).toBeLessThan(MAX_RIGHTS_BYTES);
  const key = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const person = {
    issuer: 'https://issuer.example',
    subject: 'x'.repeat(255),
    email: null,
    name: '',
    groups: [],
  };
  const sign = await openSigner(key, Date.now);
  const caller = { author: { name: 'a', email: 'b' }, agent: null };
  const request = { operation: 'write_attachment', input: {}, caller } as never;
  const { grant } = await sign(request, person, rightsOf(person, access));
  expect(grant.length).toBeLessThan(6 * 1_024 * 1_024 - 6_000_000 - 50_000);
});

test('rules for many people are counted for each, and the one with the most is named', () => {
  const rules = Array.from({ length: 5_000 }, (_, at) => ({
    ...{ people: [`p${at}@example.org`], wikis: ['main'], may: 'write' },
    folders: [`People/${at === 4_000 ? 'a longer name of a folder' : 'short'}/`],
  }));
  const parsed = parseAccess(JSON.stringify({ version: 1, rules }));
  if (parsed.kind === 'mistake') throw new Error(parsed.sentence);
  const { person, bytes } = largestGrant(parsed.access);
  expect([person, bytes < 200]).toEqual(['p4000@example.org', true]);
});
