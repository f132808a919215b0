import fc from 'fast-check';

/** Folders of the scope, some beside it, and some whose names begin like one of the scope or differ in case. */
export const SCOPES = [
  { read: ['in/'], write: ['in/'] },
  { read: ['in/', 'also/deep/'], write: ['in/', 'also/deep/'] },
  { read: ['in/', 'in/Deep/', 'also/deep/'], write: ['in/Deep/'] },
  { read: ['also/deep/', 'É/'], write: ['also/deep/', 'É/'] },
];
export const INSIDE = ['in/', 'in/Deep/', 'also/deep/', 'É/'];
const OUTSIDE = ['out/', 'also/', '', 'input/', 'also/deeper/', 'out/in/'];
/** The characters after the first two come in another order by UTF-16 than by code points. */
const NAMES = ['Tea', 'Tea-room', 'Plan', 'Home', 'Zebra', 'ｆan', '😀'];

const name = fc.constantFrom(...NAMES);
export const placeIn = (folders: readonly string[]) =>
  fc.record({ folder: fc.constantFrom(...folders), name }).map((place) => place.folder + place.name);
/** A page's path. */
export const places = fc.oneof(placeIn(INSIDE), placeIn(OUTSIDE));
const folderOf = (...names: readonly string[]) =>
  fc.constantFrom(...names).map((folder) => folder.replace(/\/$/, ''));
export const folders = folderOf(...INSIDE, ...OUTSIDE, 'in/New/', 'out/New/');
export const foldersInside = folderOf(...INSIDE, 'in/New/');

const link = fc.oneof(
  name.map((to) => `[[${to}]]`),
  places.map((to) => `[[${to}]]`),
  places.map((to) => `[to](/${to}.md)`),
  name.map((to) => `[[${to}#Part]]`),
  name.map((to) => `![[${to}.png]]`),
  fc.constantFrom('[[Alias]]', '[[Other]]', '#red', '#blue/sky', '#redder'),
);
export const line = fc
  .record({
    links: fc.array(link, { maxLength: 4 }),
    words: fc.constantFrom('apple', 'pears', 'plum tart', 'a plan, the Plan', 'Tea for a zebra', 'the alias'),
  })
  .map(({ links, words }) => `A text of ${words} with ${links.join(' and ')}.\n`);
/** Each text has lines of its own: a page that is like one elsewhere could have moved from either. */
export const text = fc
  .record({
    id: fc.noShrink(fc.nat(1_000_000_000)),
    aliases: fc.option(fc.constantFrom('Alias', 'Other', 'Tea'), { nil: null, freq: 3 }),
    tag: fc.option(fc.constantFrom('red', 'green'), { nil: null, freq: 2 }),
    heading: fc.constantFrom('', '# Part\n', '# Same\n', '## Part\n\n## Part\n'),
    line,
  })
  .map(({ id, aliases, tag, heading, line }) => {
    const keys = [aliases && `aliases: [${aliases}]`, tag && `tags: [${tag}]`].filter((key) => key);
    const frontmatter = keys.length > 0 ? `---\n${keys.join('\n')}\n---\n` : '';
    const own = Array.from({ length: 12 }, (_, at) => `This is line ${at} of the page of number ${id}.\n`);
    return `${frontmatter}${heading}${line}\n${own.join('')}`;
  });
