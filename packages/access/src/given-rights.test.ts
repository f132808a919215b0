import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Given, given, givenRights } from './given-rights.ts';
import { type Access, parseAccess } from './parse-access.ts';
import { type Rights, rightsIn, rightsOf } from './rights.ts';

const FOLDERS = ['', 'A/', 'A/B/', 'A/Bc/', 'C/'];
const PATHS = ['x', 'A/x', 'A/B/x', 'A/Bc/x', 'C/x'];
const WIKIS = ['main', 'other', 'third'];
const some = <T>(values: readonly T[]) => fc.subarray([...values], { minLength: 1 });

const rule = fc
  .record({
    wikis: some(['*', ...WIKIS]),
    folders: some(FOLDERS),
    may: fc.constantFrom('read', 'write', 'administer'),
  })
  .map(({ wikis, folders, may }) => ({
    ...{ everyone: true, wikis, may },
    ...(may !== 'administer' && !folders.includes('') && { folders }),
  }));
const gift: fc.Arbitrary<Given> = fc.record({
  may: fc.constantFrom('read' as const, 'write' as const),
  wikis: fc.option(
    fc.array(fc.record({ wiki: fc.constantFrom(...WIKIS), folders: some(FOLDERS) }), { maxLength: 4 }),
  ),
});

/** By the sentences of docs/access.md: a path is in a folder if it begins with it. */
function may(rights: Rights, what: 'read' | 'write', wiki: string, path: string): boolean {
  return (rightsIn(rights, wiki)?.[what] ?? []).some((folder) => path.startsWith(folder));
}

test('a client may what the person may and gave, in every wiki and folder, and nothing else', () => {
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 5 }), gift, (rules, gave) => {
      const access = accessOf(rules);
      const person = { issuer: '', subject: 's', email: null, name: '', groups: [] };
      const rights = rightsOf(person, access);
      const client = givenRights(rights, given.parse(gave));
      for (const wiki of [...WIKIS, 'fourth']) {
        expect(rightsIn(client, wiki)?.mayAdminister ?? false).toBe(false);
        for (const path of PATHS) {
          const isGiven =
            gave.wikis === null ||
            gave.wikis.some(
              (each) => each.wiki === wiki && each.folders.some((folder) => path.startsWith(folder)),
            );
          expect(may(client, 'read', wiki, path)).toBe(isGiven && may(rights, 'read', wiki, path));
          expect(may(client, 'write', wiki, path)).toBe(
            isGiven && gave.may === 'write' && may(rights, 'write', wiki, path),
          );
        }
        // Refusals ask whether there is any folder.
        if (gave.may === 'read') expect(rightsIn(client, wiki)?.write ?? []).toEqual([]);
        // A wiki of which nothing may be seen is not there.
        expect(rightsIn(client, wiki)?.read.length).not.toBe(0);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('a gift with a star in place of a wiki gives nothing', () => {
  const rights: Rights = { wikis: new Map([['*', { read: [''], write: [''], mayAdminister: true }]]) };
  expect(givenRights(rights, { may: 'write', wikis: [{ wiki: '*', folders: [''] }] }).wikis.size).toBe(0);
});

test.each([
  { may: 'administer', wikis: null },
  { may: 'read' },
  { may: 'read', wikis: [{ wiki: '*', folders: [''] }] },
  { may: 'read', wikis: [{ wiki: 'main', folders: [] }] },
  { may: 'read', wikis: [{ wiki: 'main', folders: ['A'] }] },
  { may: 'read', wikis: [{ wiki: 'main', folders: ['../'] }] },
  { may: 'read', wikis: [{ wiki: 'main', folders: [''], more: 1 }] },
])('%j is no gift', (wrong) => {
  expect(given.safeParse(wrong).success).toBe(false);
});

function accessOf(rules: readonly unknown[]): Access {
  const parsed = parseAccess(JSON.stringify({ version: 1, rules }));
  if (parsed.kind === 'mistake') throw new Error(parsed.sentence);
  return parsed.access;
}
