import { type Attack, callTool } from './attack.ts';

const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n');
const nested = (depth: number, open: string, close: string) =>
  `a: ${open.repeat(depth)}${close.repeat(depth)}`;

/** Frontmatter whose page must be readable, whatever it means. A change that is not safe is refused. */
const blocks: Record<string, string> = {
  'a billion laughs': lines(
    30,
    (at) =>
      `a${at}: &a${at} [${
        at === 0
          ? 'ha'
          : Array(9)
              .fill(`*a${at - 1}`)
              .join(', ')
      }]`,
  ),
  'an alias of itself': 'a: &a [*a]',
  'an alias of nothing': 'a: *nothing',
  'aliases that merge': 'a: &a {x: 1}\nb:\n  <<: *a\n  <<: *a',
  '2,000 aliases': `a: &a x\n${lines(2_000, (at) => `b${at}: *a`)}`,
  '24,000 keys': lines(24_000, (at) => `k${at}: 1`),
  '20,000 equal keys': lines(20_000, () => 'a: 1'),
  'a list of 100,000': `a: [${'1, '.repeat(100_000)}]`,
  'lists 10,000 deep': nested(10_000, '[', ']'),
  'maps 10,000 deep': nested(10_000, '{a: ', '}'),
  'a key of lists 500 deep': `? {${nested(500, '[', ']')}}\n: 1`,
  'keys of lists 45 deep': lines(200, (at) => `? {b: ${at}, ${nested(45, '[', ']')}}\n: 1`),
  'blocks 2,000 deep': lines(2_000, (at) => `${' '.repeat(at)}a:`),
  'dashes 20,000 deep': `a:\n ${'- '.repeat(20_000)}`,
  'closing braces': '}'.repeat(29_000),
  'opening braces': '{'.repeat(29_000),
  'question marks': '? '.repeat(20_000),
  'quotes without an end': `a: "${'\\x'.repeat(20_000)}`,
  'a key of 100,000 letters': `${'k'.repeat(100_000)}: 1`,
  'a number of 100,000 digits': `a: ${'9'.repeat(100_000)}`,
  'a float that overflows': 'a: 1e999999999',
  'dates that are none': 'date: 9999-99-99T99:99:99Z',
  'a function of JavaScript': 'a: !!js/function "function () { process.exit(1) }"',
  'an object of Python': 'a: !!python/object/apply:os.system ["touch ran"]',
  'a tag of its own': '%TAG ! tag:example.org,2000:\n---\na: !evil x',
  'a prototype': '__proto__: {isAdmin: true}\nconstructor: {prototype: {isAdmin: true}}',
  'binary that is none': 'a: !!binary "@@@@"',
  'a set': 'a: !!set {x, y}',
  'tabs for spaces': 'a:\n\t- b',
  'a NUL': 'a: \0b',
  'half of a surrogate pair': 'a: "\\ud800"',
  'several documents': 'a: 1\n--- \nb: 2\n...\nc: 3',
  'comments without end': '# '.repeat(50_000),
  'folded lines': `a: >-\n${lines(20_000, () => '  x')}`,
  'anchors without end': lines(5_000, (at) => `a${at}: &${'a'.repeat(20)}${at} x`),
  'tags that are maps': 'tags: {a: {b: c}}\naliases: 5\ntitle: [x]',
  'a title of lines': 'title: "One\\n- [Two](evil)\\r\\n# Three"',
};

const deep = (depth: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]));

/** Properties that are set in a sound page. */
const sets: Record<string, [set: Record<string, unknown>, answers: readonly string[]]> = {
  'a value 60 deep': [{ a: deep(50) }, ['ok', 'invalid_input']],
  'a value 1,000 deep': [{ a: deep(1_000) }, ['invalid_input']],
  '2,000 keys': [keys(2_000), ['ok', 'invalid_input']],
  '24,000 keys': [keys(24_000), ['invalid_input', 'too_large']],
  'a text of a million letters': [{ a: 'x'.repeat(1_000_000) }, ['ok', 'invalid_input', 'too_large']],
  'a text of lines and dashes': [{ a: '---\n---\n# Not a heading\n' }, ['ok']],
  'a text that looks like an alias': [{ a: '*a', b: '&b', c: '!!js/function x' }, ['ok']],
  'a key of a line break': [{ 'a\nb: c': 1 }, ['ok', 'invalid_input']],
  'a key of three dashes': [{ '---': 1 }, ['ok', 'invalid_input']],
  'a key with a NUL': [{ 'a\0b': 1 }, ['ok', 'invalid_input']],
  'half of a surrogate pair': [{ a: '\ud800' }, ['ok', 'invalid_input']],
  'a list of 100,000': [{ a: Array(100_000).fill(1) }, ['ok', 'invalid_input', 'too_large']],
};

const READ = ['ok'];

/** Frontmatter as long as a page, which is indexed while the next page is written. */
const LONG_BLOCKS: Record<string, string> = {
  'of 290,000 tags': `tags: [${Array.from({ length: 290_000 }, (_, at) => `t${at.toString(36)}`).join(',')}]`,
  'of 300,000 lists': `x: [${'[],'.repeat(300_000)}]`,
  'of a text of a megabyte': `x: "${'é\\n'.repeat(250_000)}"`,
  'of 60,000 lines': lines(60_000, (at) => `key-${at}: value`),
};

export const yamlAttacks: Attack[] = [
  ...Object.entries(LONG_BLOCKS).map(
    ([name, block]): Attack => ({
      name: `written twice: frontmatter ${name}`,
      on: 'whole',
      answers: ['ok'],
      async act({ whole }, round) {
        for (const page of ['a', 'b']) {
          const content = `---\n${block}\n---\n${page} ${round}\n`;
          const written = await callTool(whole, 'write_page', { path: `yaml/${round}-${page}`, content });
          if (written.code !== 'ok') return written;
        }
        return callTool(whole, 'search_pages', { query: round });
      },
    }),
  ),
  ...Object.entries(blocks).map(
    ([name, block]): Attack => ({
      name: `read and changed: ${name}`,
      on: 'whole',
      answers: ['ok', 'invalid_input', 'too_large'],
      async act({ whole }, round) {
        const path = `yaml/${round}`;
        const written = await callTool(whole, 'write_page', {
          path,
          content: `---\n${block}\n---\n# Text\n`,
        });
        if (written.code !== 'ok') return written;
        for (const tool of ['read_page', 'get_links']) {
          const read = await callTool(whole, tool, { path });
          if (!READ.includes(read.code)) throw new Error(`${tool}: ${read.text}`);
        }
        return callTool(whole, 'update_frontmatter', { path, set: { z: 1 } });
      },
    }),
  ),
  ...Object.entries(sets).map(
    ([name, [set, answers]]): Attack => ({
      name: `set: ${name}`,
      on: 'whole',
      answers,
      async act({ whole }, round) {
        const path = `yaml/${round}`;
        await callTool(whole, 'write_page', { path, content: '---\na: 1\n---\n# Text\n' });
        return callTool(whole, 'update_frontmatter', { path, set });
      },
    }),
  ),
];
