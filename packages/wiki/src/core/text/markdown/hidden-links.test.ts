import fc from 'fast-check';
import { expect, test } from 'vitest';
import { atOnce } from '../../../scheduling/in-turns.ts';
import { hiddenLinks } from './hidden-links.ts';
import { scanBlocks } from './markdown-blocks.ts';
import { scanInline } from './markdown-links.ts';

const linksOf = (text: string) => scanInline(text, scanBlocks(text)).links;

function hidden(before: string, after: string, kept: Parameters<typeof hiddenLinks>[2] = null): string[] {
  return atOnce(hiddenLinks(before, after, kept)).map(({ start, end }) => before.slice(start, end));
}

/** Lines with links, each of them once. */
const UNITS = [
  'text [[One]] and [[Two]]\n',
  '[a](three.md) `[[no]]`\n',
  '[over two\nlines](four.md)\n',
  '[a\nb\nc](five.md) [[Six]]\n',
  '    text [[Seven]]\n',
  '> [[Eight]]\n',
  '- [[Nine]]\n',
  '[ten]: ten.md\n',
  '<a href="eleven.md">a</a>\n',
  'text\n',
];
const unit = fc.nat({ max: UNITS.length - 1 });
/** Lines that come between them. */
const mark = fc.constantFrom(
  '```\n',
  '~~~\n',
  '~~\n',
  '<!--\n',
  '-->\n',
  '---\n',
  '+++\n',
  '`\n',
  '<pre>\n',
  '</pre>\n',
  '\n',
  '- a\n',
  'a: [b\n',
  '> a\n',
  'a [b\n',
);
const inserted = fc.array(fc.record({ at: fc.nat({ max: 5 }), mark }), { maxLength: 2 });

/** The text of these parts, and the offset at which each of the units begins. */
function textOf(units: readonly number[], marks: readonly { at: number; mark: string }[]) {
  let text = '';
  const places = new Map<number, number>();
  for (let at = 0; at <= 5; at += 1) {
    for (const each of marks) if (each.at === at) text += each.mark;
    const unit = units[at];
    if (unit === undefined) continue;
    places.set(unit, text.length);
    text += UNITS[unit] ?? '';
  }
  return { text, places };
}

test('a link is hidden if its lines stay, and are no link any more', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(unit, { maxLength: 5 }),
      inserted,
      inserted,
      fc.option(fc.nat({ max: 5 })),
      (units, old, added, removed) => {
        const before = textOf(units, old);
        const after = textOf(removed === null ? units : units.toSpliced(removed, 1), [...old, ...added]);
        const placeOf = (link: { start: number; end: number }) => {
          const [unit, start] = [...before.places].findLast(([, place]) => place <= link.start) ?? [0, 0];
          const now = after.places.get(unit);
          const isInUnit = link.end <= start + (UNITS[unit]?.length ?? 0);
          return now === undefined || !isInUnit ? null : now + link.start - start;
        };
        const now = new Set(linksOf(after.text).map(({ start }) => start));
        const wanted = linksOf(before.text).filter((link) => {
          const place = placeOf(link);
          return place !== null && !now.has(place);
        });
        expect(hidden(before.text, after.text), JSON.stringify([before.text, after.text])).toEqual(
          wanted.map(({ start, end }) => before.text.slice(start, end)),
        );
      },
    ),
    { numRuns: 3_000 },
  );
});

test('a link is hidden by a change within another line, and not by one within its own lines', () => {
  const part = fc.constantFrom('`', '```', '~', '<', '<!--', '-->', '>', '-', '+', '    ', '[', 'a');
  const units = fc.uniqueArray(unit, { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(
      units,
      inserted,
      fc.nat({ max: 120 }),
      part,
      fc.nat({ max: 3 }),
      fc.boolean(),
      (units, old, place, part, removed, isEnded) => {
        const whole = textOf(units, old).text;
        const before = isEnded ? whole : whole.slice(0, -1);
        const at = Math.min(place, before.length);
        fc.pre(!before.slice(at, at + removed).includes('\n'));
        const after = before.slice(0, at) + part + before.slice(at + removed);
        const now = new Set(linksOf(after).map(({ start }) => start));
        const shift = after.length - before.length;
        const wanted = linksOf(before).filter(({ start, end }) => {
          const first = before.lastIndexOf('\n', start - 1) + 1;
          const last = before.indexOf('\n', end - 1);
          if (last !== -1 && last < at) return !now.has(start);
          return first > Math.min(at + removed, before.length) && !now.has(start + shift);
        });
        expect(hidden(before, after), JSON.stringify([before, after])).toEqual(
          wanted.map(({ start, end }) => before.slice(start, end)),
        );
      },
    ),
    { numRuns: 3_000 },
  );
});

test.each([
  ['a list', '`\n', '- a\n'],
  ['an empty line', '``\n', '\n'],
  ['a heading', 'a ` b\n', '# a\n'],
])(
  'a link is hidden if %s begins within code over several lines, which ends elsewhere then',
  (_, open, mark) => {
    const ticks = open.replaceAll(/[^`]/g, '');
    const rest = `text\n[[One]] ${ticks}[[Two]]${ticks}\n`;
    expect(hidden(open + rest, open + mark + rest)).toEqual(['[[Two]]']);
  },
);

test('a line of any number of tags that close nowhere takes no longer than its length', () => {
  const text = `[[One]]\n${'<a'.repeat(500_000)}>\n`;
  expect(hidden(text, `${text}text\n`)).toEqual([]);
});

test('links are hidden by what is put before the empty line that begins a page', () => {
  for (const mark of ['<!--', '~~~'])
    expect(hidden('\n[[One]]\n', `${mark}\n[[One]]\n`)).toEqual(['[[One]]']);
});

test('a hidden link on a last line without a line feed is reported once', () => {
  const text = '[a\nb](x.md) [[One]]';
  expect(hidden(text, `\`\`\`\n${text}`)).toEqual(['[a\nb](x.md)', '[[One]]']);
});

test('equal lines count one by one, and the last ones are taken as hidden', () => {
  const line = 'text [[One]] [[One]]\n';
  expect(hidden(line.repeat(3), `${line.repeat(2)}\`\`\`\n${line}`)).toEqual(['[[One]]', '[[One]]']);
  expect(hidden(line.repeat(3), `${line}\`\`\`\n${line}`)).toEqual(['[[One]]', '[[One]]']);
  expect(hidden(`${line}\`\`\`\n${line}\`\`\`\n`, `\`\`\`\n${line}\`\`\`\n${line}`)).toEqual([]);
  expect(hidden(`${line}${line}\`\`\`\n${line}\`\`\`\n`, `${line}\`\`\`\n${line}\`\`\`\n`)).toEqual([]);
  expect(hidden(line, `\`\`\`\n${line}\`\`\`\n${line}`)).toEqual([]);
  const places = atOnce(hiddenLinks(line.repeat(2), `${line}\`\`\`\n${line}`, null));
  expect(places.map(({ start }) => start)).toEqual([line.length + 5, line.length + 13]);
});

test('links in frontmatter that can no longer be read are hidden', () => {
  const before = '---\nup: "[[One]]"\n---\n[[Two]]\n';
  expect(hidden(before, before.replace('up:', 'a: [\nup:'))).toEqual(['"[[One]]"']);
  expect(hidden('text\n\nup: "[[One]]"\n---\n', '---\nup: "[[One]]"\n---\n')).toEqual([]);
});

test('of a page that several texts make, only the lines that came from this one count', () => {
  const line = '[[One]]\n';
  const after = `${line}\`\`\`\n${line}`;
  const from = (first: string, second: string) => [
    { length: line.length, from: first },
    { length: 4, from: null },
    { length: line.length, from: second },
  ];
  expect(hidden(line, after, { from: 'a.md', runs: from('b.md', 'a.md') })).toEqual(['[[One]]']);
  expect(hidden(line, after, { from: 'a.md', runs: from('a.md', 'b.md') })).toEqual([]);
  expect(hidden(line, after, { from: 'c.md', runs: from('a.md', 'b.md') })).toEqual([]);
});
