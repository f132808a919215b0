import { runInThisContext } from 'node:vm';
import fc from 'fast-check';
import { parse as parseToml } from 'smol-toml';
import { expect, test } from 'vitest';
import type { Entry } from './clients.ts';
import { type EditSettings, isEqual } from './edit.ts';
import { editJson } from './json-settings.ts';
import { editToml } from './toml-settings.ts';

const AT = { container: 'servers', name: 'pagetree' };
const ENTRY: Entry = { command: 'C:\\node', args: ['a b', '"', 'ä'], env: { PAGETREE_AUTHOR: 'Ada <a@b>' } };

const space = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('', ' ', '\n  ', '\n', '\t', '  ', '\n\n    ') },
  { weight: 1, arbitrary: fc.constantFrom('/* , } */', ' // , {"servers"\n', '\n// é\n  ', '/**/') },
);
const scalar = fc.constantFrom(
  '1',
  'null',
  'true',
  '"x"',
  '"// no comment"',
  '"\\"{,"',
  '[]',
  '[1, "]"]',
  '{}',
);

interface Property {
  key: string;
  value: string;
}

/** The text of an object, laid out as no formatter would. */
function object(properties: fc.Arbitrary<Property[]>): fc.Arbitrary<string> {
  return properties.chain((list) =>
    fc
      .tuple(
        fc.array(fc.tuple(space, space, space, space), { minLength: list.length, maxLength: list.length }),
        space,
        fc.boolean(),
      )
      .map(([spaces, end, hasLastComma]) => {
        const parts = list.map(({ key, value }, index) => {
          const [before, afterKey, beforeValue, after] = spaces[index] ?? ['', '', '', ''];
          const comma = index < list.length - 1 || hasLastComma ? ',' : '';
          return `${before}"${key}"${afterKey}:${beforeValue}${value}${after}${comma}`;
        });
        return `{${parts.join('')}${end}}`;
      }),
  );
}

function properties(keys: string[], value: fc.Arbitrary<string>): fc.Arbitrary<Property[]> {
  return fc
    .shuffledSubarray(keys)
    .chain((chosen) => fc.tuple(...chosen.map((key) => value.map((text) => ({ key, value: text })))));
}

const server = object(properties(['command', 'url', 'x'], scalar));
const servers = object(properties(['other', 'Pagetree', 'b'], fc.oneof(scalar, server)));
const settings = fc
  .tuple(properties(['a', 'server', 'z'], scalar), fc.option(servers), fc.nat(3), space, space)
  .chain(([others, container, position, before, after]) => {
    const own = container === null ? [] : [{ key: 'servers', value: container }];
    return object(fc.constant(others.toSpliced(position, 0, ...own))).map((text) => before + text + after);
  });

test('any JSON with comments gains the entry and nothing else, and loses it again', () => {
  fc.assert(
    fc.property(settings, (text) => {
      const before = evaluated(text);
      const set = textOf(editJson, text, ENTRY);
      expect(evaluated(set)).toEqual({
        ...before,
        servers: { ...(before.servers as object), pagetree: ENTRY },
      });
      const hadOthers = Object.keys(before.servers ?? {}).length > 0;
      // Between the braces of an empty list white space is no part of anything.
      const same = hadOthers ? (each: string) => each : spaceless;
      expect(isWithInsertions(same(text), same(set)), `${text}\n---\n${set}`).toBe(true);
      expect(textOf(editJson, set, ENTRY)).toBe(set);
      const removed = textOf(editJson, set, null);
      expect(evaluated(removed)).toEqual({ ...before, servers: before.servers ?? {} });
      if (hadOthers) expect(removed, set).toBe(text);
      else expect(isWithInsertions(spaceless(text), spaceless(removed)), removed).toBe(true);
    }),
    { seed: 26, numRuns: 100, examples: [['/* a */{/* b */}/* c */']] },
  );
});

test('an entry anywhere among others is replaced and taken out', () => {
  const listed = properties(['a', 'pagetree', 'b'], server).filter((list) =>
    list.some(({ key }) => key === 'pagetree'),
  );
  fc.assert(
    fc.property(object(listed), (list) => {
      const text = `{ "servers": ${list} }`;
      const { pagetree, ...others } = evaluated(text).servers as Record<string, Entry>;
      const merged = pagetree?.command === undefined ? ENTRY : { ...pagetree, ...ENTRY };
      expect(evaluated(textOf(editJson, text, ENTRY))).toEqual({ servers: { ...others, pagetree: merged } });
      const removed = textOf(editJson, text, null);
      expect(evaluated(removed)).toEqual({ servers: others });
      for (const comment of text.match(/\/\/.*é/g) ?? []) if (!pagetree) expect(removed).toContain(comment);
    }),
    { seed: 26, numRuns: 100 },
  );
});

const foreign = fc.constantFrom(
  '# a comment: [servers.pagetree]\n',
  '\n',
  '[[hooks]]\nrun = ["a",\n  "[servers.pagetree]", # x\n]\n',
  '[text]\nlong = """\n[servers.pagetree]\ncommand = "x"\n"""\n',
  "[servers.other] # theirs\ncommand = 'x'\n",
  '  [servers."p.q".env]\n  A = "b"\n',
  '[profiles.servers]\nat = 2026-11-22T10:00:00Z\n',
);
const own = fc.constantFrom(
  '',
  '[servers.pagetree]\ncommand = "old"\nmine = 1 # kept\n',
  '[servers.pagetree]\nargs = [\n "a", # b\n]\ncommand = "old"\n[servers.pagetree.env]\nX = "y"\n',
  '[ servers . "pagetree" ]\ncommand = "old"\nenv = { X = "y" }\n\n',
  '[servers.pagetree]\nurl = "https://example.org"\n',
);

test('any TOML gains the entry and nothing else, and loses it again', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(foreign),
      own,
      fc.uniqueArray(foreign),
      fc.boolean(),
      (above, table, below, isCrlf) => {
        const lines = [
          'top = 1 # first\n',
          ...above,
          table,
          ...below.filter((each) => !above.includes(each)),
        ].join('');
        const text = isCrlf ? lines.replaceAll('\n', '\r\n') : lines;
        const { servers, ...others } = parseToml(text) as Record<string, Record<string, Entry>>;
        const { pagetree, ...otherServers } = servers ?? {};
        const merged =
          pagetree?.command === undefined
            ? ENTRY
            : { ...pagetree, ...ENTRY, env: { ...(pagetree.env as object), ...(ENTRY.env as object) } };
        const set = textOf(editToml, text, ENTRY);
        expect(
          isEqual(parseToml(set), { ...others, servers: { ...otherServers, pagetree: merged } }),
          set,
        ).toBe(true);
        if (pagetree === undefined) expect(set.startsWith(text)).toBe(true);
        const removed = textOf(editToml, set, null);
        expect(isEqual(parseToml(removed).servers ?? {}, otherServers), removed).toBe(true);
        for (const part of [...above, ...below]) {
          const lasting = (isCrlf ? part.replaceAll('\n', '\r\n') : part).trim();
          expect(removed).toContain(lasting);
        }
        if (isCrlf) expect(set).not.toMatch(/[^\r]\n/);
      },
    ),
    { seed: 26, numRuns: 60 },
  );
});

test('TOML that keeps servers in other forms is edited if possible, else refused', () => {
  const inline = '[servers]\npagetree = { command = "old", mine = 1 }\nb = {}\n';
  expect(parseToml(textOf(editToml, inline, ENTRY))).toEqual({
    servers: { pagetree: { ...ENTRY, mine: 1 }, b: {} },
  });
  expect(textOf(editToml, inline, null)).toBe('[servers]\nb = {}\n');
  for (const text of ['servers = { a = {} }\n', '[servers]\npagetree.command = "x"\n']) {
    expect(editToml(text, AT, ENTRY)).toHaveProperty('refused');
  }
  expect(textOf(editToml, '[servers]\npagetree.command = "x"\npagetree.args = []\nb = 1\n', null)).toBe(
    '[servers]\nb = 1\n',
  );
});

/** A part of JavaScript, whose engine is another parser than ours. */
function evaluated(text: string): Record<string, unknown> {
  return structuredClone(runInThisContext(`(${text}\n)`));
}

function textOf(edit: EditSettings, text: string, entry: Entry | null): string {
  const edited = edit(text, AT, entry);
  if ('refused' in edited) throw new Error(`${edited.refused}\n${text}`);
  return edited.text;
}

/**
 * True if the longer text is the other one with one comma and one run of characters inserted, and nothing
 * removed.
 */
function isWithInsertions(text: string, longer: string): boolean {
  const commas = [...longer.matchAll(/,/g)].map(
    ({ index }) => longer.slice(0, index) + longer.slice(index + 1),
  );
  return [longer, ...commas].some((each) => {
    if (each.length < text.length) return false;
    let same = 0;
    while (same < text.length && each[same] === text[same]) same++;
    return each.endsWith(text.slice(same)) || text === each;
  });
}

function spaceless(text: string): string {
  return text.replaceAll(/\s/g, '');
}
