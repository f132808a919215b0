import fc from 'fast-check';

/** A section of a random page. Its body is in no other section, so that it says which section it is. */
export interface Section {
  level: number;
  /** One or two words, of which some differ only in case. */
  heading: string;
  body: string;
  isUnderlined: boolean;
}

const HEADINGS = ['One', 'Two', 'one two', 'TWO', 'Three'];
const PARTS = ['One', 'two', 'One two', 'Three', 'None'];

/** Links of each kind, by all ways to name a section of such a page. */
export const ANCHORS: readonly { anchor: string; kind: 'wiki' | 'inline' }[] = [
  ...PARTS.flatMap((part) => [part, ...PARTS.map((other) => `${part}#${other}`)]),
  ...['One#Two#Three', 'Two#One two#TWO', 'Three#One#Two', 'one-two', 'one-1', 'two-1', 'two-2', 'three-1'],
].flatMap((anchor) => [
  { anchor, kind: 'wiki' as const },
  { anchor, kind: 'inline' as const },
]);

/** Up to eight sections; the bodies begin with `name`. */
export function sectionsOf(name: string): fc.Arbitrary<Section[]> {
  const section = fc.record({
    level: fc.integer({ min: 1, max: 3 }),
    heading: fc.constantFrom(...HEADINGS),
    isUnderlined: fc.boolean(),
  });
  return fc
    .array(section, { maxLength: 8 })
    .map((sections) => sections.map((each, at) => ({ ...each, body: `Body ${name}${at}.` })));
}

export function sectionText({ level, heading, body, isUnderlined }: Section, lineEnd: string): string {
  const lines =
    isUnderlined && level < 3 ? [heading, level === 1 ? '===' : '---'] : [`${'#'.repeat(level)} ${heading}`];
  return [...lines, '', body, '', ''].join(lineEnd);
}

export function keyOfSection({ level, heading }: Section): string {
  return `${level} ${heading}`;
}

/** A second implementation of how anchors are found, for these pages alone; null without a target. */
export function sectionAt(sections: readonly Section[], anchor: string, kind: 'wiki' | 'inline') {
  const named = anchor.toLowerCase().split('#');
  const whole = named.join(' ');
  const byName = sections.find(({ heading }, at) => {
    const text = heading.toLowerCase();
    return text === whole || (text === named.at(-1) && isBelow(sections, at, named.slice(0, -1)));
  });
  if (byName !== undefined || kind === 'wiki') return byName ?? null;
  const slugs = sections.map(({ heading }) => heading.toLowerCase().replace(' ', '-'));
  const slug = whole.replaceAll(' ', '-');
  const [, base = '', nth = ''] = /^(.*)-(\d+)$/.exec(slug) ?? [];
  const ofBase = sections.filter((_, at) => slugs[at] === base);
  return sections[slugs.indexOf(slug)] ?? ofBase[Number(nth)] ?? null;
}

/** True if headings above the section have these names, in this order. */
function isBelow(sections: readonly Section[], at: number, names: readonly string[]): boolean {
  const above: string[] = [];
  let level = sections[at]?.level ?? 0;
  for (const section of sections.slice(0, at).toReversed()) {
    if (section.level >= level) continue;
    level = section.level;
    above.unshift(section.heading.toLowerCase());
  }
  let found = 0;
  for (const name of above) if (name === names[found]) found += 1;
  return found === names.length;
}
