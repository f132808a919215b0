import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Access, parseAccess } from './parse-access.ts';
import { type Person, type Rights, rightsIn, rightsKey, rightsOf } from './rights.ts';

const ada: Person = {
  issuer: 'https://issuer.example',
  subject: '248289761001',
  email: 'ada@example.org',
  name: 'Ada',
  groups: ['editors'],
};

test('the rules that name a person add up, those of every wiki in each', () => {
  const rights = rightsGiven(ada, [
    { people: ['ada@example.org'], wikis: ['main'], folders: ['Guides/', 'Guides/Deep/'], may: 'write' },
    { groups: ['editors', 'others'], wikis: ['main', 'notes'], folders: ['Drafts/'], may: 'read' },
    { everyone: true, wikis: ['*'], folders: ['Public/', 'Guides/Deep/'], may: 'read' },
    { people: ['sub:248289761001'], wikis: ['lab'], may: 'administer' },
    { people: ['grace@example.org'], wikis: ['main'], may: 'write' },
  ]);
  expect(Object.fromEntries(rights.wikis)).toEqual({
    '*': { read: ['Guides/Deep/', 'Public/'], write: [], mayAdminister: false },
    lab: { read: [''], write: [''], mayAdminister: true },
    main: { read: ['Drafts/', 'Guides/', 'Public/'], write: ['Guides/'], mayAdminister: false },
    notes: { read: ['Drafts/', 'Guides/Deep/', 'Public/'], write: [], mayAdminister: false },
  });
  expect(rightsIn(rights, 'unheard-of')).toBe(rights.wikis.get('*'));
});

test('a person whom no rule names has nothing, whatever they call themselves', () => {
  const named = [
    { people: ['ada@example.org', 'sub:248289761001'], groups: ['editors'], wikis: ['*'], may: 'write' },
  ];
  const stranger: Person = { ...ada, subject: '1', email: null, groups: [] };
  for (const person of [
    stranger,
    { ...stranger, name: 'ada@example.org' },
    { ...stranger, name: 'editors' },
    { ...stranger, email: 'sub:248289761001' },
    { ...stranger, subject: 'ada@example.org' },
    { ...stranger, groups: ['Editors', 'ada@example.org', 'sub:248289761001', '*'] },
  ]) {
    const rights = rightsGiven(person, named);
    expect(rights.wikis.size).toBe(0);
    expect(rightsIn(rights, 'main')).toBeNull();
  }
});

const folder = fc.constantFrom('A/', 'A/B/', 'A/B/C/', 'AB/', 'B/');
const rule = fc
  .record({
    people: fc.option(fc.subarray(['ada@example.org', 'grace@example.org', 'sub:1'], { minLength: 1 })),
    groups: fc.option(fc.subarray(['editors', 'readers'], { minLength: 1 })),
    wikis: fc.subarray(['*', 'a', 'b', 'c'], { minLength: 1 }),
    folders: fc.option(fc.uniqueArray(folder, { minLength: 1, maxLength: 3 })),
    may: fc.constantFrom('read', 'write', 'administer'),
  })
  .map(({ people, groups, folders, may, ...rest }) => ({
    ...rest,
    ...(people === null && groups === null
      ? { everyone: true }
      : { ...(people && { people }), ...(groups && { groups }) }),
    ...(folders && may !== 'administer' && { folders }),
    may,
  }));
const rules = fc.array(rule, { maxLength: 6 });
const person = fc.record({
  issuer: fc.constant('https://issuer.example'),
  subject: fc.constantFrom('1', '2'),
  email: fc.constantFrom(null, 'ada@example.org', 'grace@example.org', 'eve@example.org'),
  name: fc.constantFrom('Ada', 'editors', 'ada@example.org'),
  groups: fc.subarray(['editors', 'readers', 'sub:1']),
});
const PATHS = ['Home', 'A/x', 'A/B/x', 'A/B/C/x', 'AB/x', 'B/x', 'C/x'];

test('a right is there if and only if some rule gives it', () => {
  fc.assert(
    fc.property(person, rules, (person, rules) => {
      const rights = rightsGiven(person, rules);
      for (const wiki of ['a', 'b', 'c', 'd']) {
        for (const path of PATHS) {
          const matching = rules.filter(
            (rule) =>
              (rule.wikis.includes(wiki) || rule.wikis.includes('*')) &&
              (rule.folders === undefined || rule.folders.some((folder) => path.startsWith(folder))) &&
              ('everyone' in rule ||
                rule.groups?.some((group) => person.groups.includes(group)) ||
                (person.email !== null && rule.people?.includes(person.email)) ||
                rule.people?.includes(`sub:${person.subject}`)),
          );
          expect(grants(rights, wiki, path)).toEqual({
            read: matching.length > 0,
            write: matching.some(({ may }) => may !== 'read'),
            administer: matching.some(({ may }) => may === 'administer'),
          });
        }
      }
    }),
    { numRuns: 300 },
  );
});

test('a rule more takes nothing away, and the order of rules means nothing', () => {
  fc.assert(
    fc.property(person, rules, rule, fc.nat(), (person, rules, added, at) => {
      const before = rightsGiven(person, rules);
      const position = at % (rules.length + 1);
      const after = rightsGiven(person, rules.toSpliced(position, 0, added));
      for (const wiki of ['a', 'b', 'c', 'd']) {
        for (const path of PATHS) {
          const [had, has] = [grants(before, wiki, path), grants(after, wiki, path)];
          for (const right of ['read', 'write', 'administer'] as const) {
            if (had[right]) expect(has[right], `${right} ${path} in ${wiki}`).toBe(true);
          }
        }
      }
      expect(rightsKey(after)).toBe(rightsKey(rightsGiven(person, [added, ...rules].reverse())));
    }),
    { numRuns: 300 },
  );
});

test('nobody has anything without a rule, and equal rights alone have equal keys', () => {
  fc.assert(
    fc.property(person, rules, rules, (person, one, other) => {
      expect(rightsGiven(person, []).wikis.size).toBe(0);
      const [a, b] = [rightsGiven(person, one), rightsGiven(person, other)];
      expect(rightsKey(a) === rightsKey(b)).toBe(isSame(a, b));
    }),
    { numRuns: 300 },
  );
});

function rightsGiven(person: Person, rules: readonly object[]): Rights {
  return rightsOf(person, accessOf(rules));
}

function accessOf(rules: readonly object[]): Access {
  const parsed = parseAccess(JSON.stringify({ version: 1, rules }));
  if (parsed.kind === 'mistake') throw new Error(parsed.sentence);
  return parsed.access;
}

function grants(rights: Rights, wiki: string, path: string) {
  const { read, write, mayAdminister } = rightsIn(rights, wiki) ?? {
    read: [],
    write: [],
    mayAdminister: false,
  };
  return {
    read: read.some((folder) => path.startsWith(folder)),
    write: write.some((folder) => path.startsWith(folder)),
    administer: mayAdminister,
  };
}

function isSame(a: Rights, b: Rights): boolean {
  const inEach = (rights: Rights) => ['a', 'b', 'c', '*'].map((wiki) => rightsIn(rights, wiki));
  return JSON.stringify(inEach(a)) === JSON.stringify(inEach(b));
}
