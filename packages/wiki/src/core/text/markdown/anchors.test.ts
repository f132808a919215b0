import fc from 'fast-check';
import { expect, test } from 'vitest';
import { idleCpuMsOf } from '../../../../test/machine-speed.ts';
import { anchorFinder, blockIds, findBlock, parentsOf, scanIds, slugOf } from './anchors.ts';
import { scanBlocks } from './markdown-blocks.ts';
import { MAX_HEADINGS_FOUND } from './outline.ts';

const page = `# Guide

## Set up: the **quick** way

A paragraph with an id. ^first-one

- an item ^item
- another

| a | b |
| - | - |
| 1 | 2 |

^table

\`\`\`
code ^no
\`\`\`

## API
### Errors
## CLI
### Errors
## C# & [[Other|more]]
## Custom {#own-id}

<a name="html-id"></a> <div id='second'>x</div>
## 安装 指南
`;

const blocks = scanBlocks(page);
const find = anchorFinder({ headings: blocks.headings, ...scanIds(page, blocks) });
const heading = (anchor: string, kind: 'wiki' | 'inline' = 'wiki') => {
  const found = find(anchor, kind);
  return found?.kind === 'heading' ? blocks.headings[found.index]?.line : (found?.kind ?? null);
};

test('a wikilink names a heading by its text as Obsidian compares it, and one below another', () => {
  expect(heading('Set up: the quick way')).toBe(3);
  expect(heading('set up the quick way')).toBe(3);
  expect(heading('Errors')).toBe(21);
  expect(heading('CLI#Errors')).toBe(23);
  expect(heading('Guide#CLI#Errors')).toBe(23);
  expect(heading('Guide#Errors')).toBe(21);
  expect(heading('Custom#Errors')).toBeNull();
  expect(heading('C Other more')).toBe(24);
  expect(heading('C# & more')).toBe(24);
  expect(heading('Nowhere')).toBeNull();
  expect(heading('set-up-the-quick-way')).toBeNull();
});

test('of a heading below others and one with the text of the whole anchor, the earlier is meant', () => {
  const indexOf = (text: string) => {
    const { headings } = scanBlocks(text);
    return anchorFinder({ headings, ...scanIds(text, scanBlocks(text)) })('Notes#Part', 'wiki');
  };
  const [below, whole] = ['# Notes\n## Part\n', '# Notes: Part\n'];
  expect(indexOf(below + whole)).toEqual({ kind: 'heading', index: 1 });
  expect(indexOf(whole + below)).toEqual({ kind: 'heading', index: 0 });
});

test('a Markdown link also names a heading by its slug, and an element by its id', () => {
  expect(heading('set-up-the-quick-way', 'inline')).toBe(3);
  expect(heading('Set up: the quick way', 'inline')).toBe(3);
  expect(heading('errors', 'inline')).toBe(21);
  expect(heading('errors-1', 'inline')).toBe(23);
  expect(heading('errors-2', 'inline')).toBeNull();
  expect(heading('c--more', 'inline')).toBe(24);
  expect(heading('安装-指南', 'inline')).toBe(28);
  expect(['own-id', 'html-id', 'second'].map((anchor) => heading(anchor, 'inline'))).toEqual([
    'id',
    'id',
    'id',
  ]);
  expect(heading('custom', 'inline')).toBe(25);
  expect(heading('top', 'inline')).toBe('page');
});

test('an anchor comes from the text that a reader sees, or in a wikilink from the text as typed', () => {
  const text = '## R&amp;D\n## <b>html</b> h\n## \\*nix *is* old\n## 2 \\* 3\n';
  const scanned = scanBlocks(text);
  const ask = anchorFinder({ headings: scanned.headings, ...scanIds(text, scanned) });
  const places = (kind: 'wiki' | 'inline', anchors: string[]) =>
    anchors.map((anchor) => {
      const found = ask(anchor, kind);
      return found?.kind === 'heading' ? found.index : null;
    });
  // As GitHub makes them.
  expect(places('inline', ['rd', 'html-h', 'nix-is-old', '2--3'])).toEqual([0, 1, 2, 3]);
  expect(places('wiki', ['R&D', 'html h', '*nix is old', '2 * 3'])).toEqual([0, 1, 2, 3]);
  const typed = ['R&amp;D', '<b>html</b> h', '\\*nix *is* old', '2 \\* 3'];
  expect(places('wiki', typed)).toEqual([0, 1, 2, 3]);
});

test('a block is named by its id', () => {
  expect(['^first-one', '^FIRST-ONE', '^item', '^table'].map((id) => heading(id))).toEqual(
    Array(4).fill('block'),
  );
  expect(heading('Guide#^item')).toBe('block');
  expect(heading('^no')).toBeNull();
  const block = (id: string) => {
    const span = findBlock(page, blocks, id);
    return span && page.slice(span.start, span.end);
  };
  expect(block('first-one')).toBe('A paragraph with an id. ^first-one\n');
  expect(block('item')).toBe('- an item ^item\n');
  expect(block('table')).toBe('| a | b |\n| - | - |\n| 1 | 2 |\n\n^table\n');
  expect(block('no')).toBeNull();
});

/** Lines of prose, with the ids that each has. */
const lines = [
  { line: 'text', blocks: [], ids: [] },
  { line: 'at the end ^one', blocks: ['one'], ids: [] },
  { line: 'blanks behind\t^Two-2 \t', blocks: ['Two-2'], ids: [] },
  { line: '^three', blocks: ['three'], ids: [] },
  { line: 'not ^at the end', blocks: [], ids: [] },
  { line: 'no blank^before', blocks: [], ids: [] },
  { line: 'other signs ^behind!', blocks: [], ids: [] },
  { line: 'a <b id="four">', blocks: [], ids: ['four'] },
  { line: "a <B class='c' NAME = 'five 5'>", blocks: [], ids: ['five 5'] },
  { line: 'a <b id=six66 class=c> ^seven', blocks: ['seven'], ids: ['six66'] },
  { line: '< b id=no> id=no <b idx=no>', blocks: [], ids: [] },
];

test('a page has the ids that its lines have, at their places, and no others', () => {
  const lineEnd = fc.constantFrom('\n', '\r\n', '\n\n');
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...lines), { maxLength: 6 }),
      lineEnd,
      fc.boolean(),
      (chosen, end, isEnded) => {
        const text = chosen.map(({ line }) => line).join(end) + (isEnded ? end : '');
        const scanned = scanBlocks(text);
        const ids = {
          blocks: chosen.flatMap((each) => each.blocks),
          ids: chosen.flatMap((each) => each.ids),
        };
        expect(scanIds(text, scanned)).toEqual(ids);
        const found = blockIds(text, scanned);
        expect(found.map(({ id, start }) => [id, text.slice(start - 1, start + id.length)])).toEqual(
          ids.blocks.map((id) => [id, `^${id}`]),
        );
      },
    ),
  );
});

test('a heading has the id in braces at its end', () => {
  const text = `# One {#one}\n# Two {#no} more\n# ${'long '.repeat(100)}{#three}\n`;
  expect(scanIds(text, scanBlocks(text))).toEqual({ blocks: [], ids: ['one', 'three'] });
});

test('only the first of very many ids are found', () => {
  const ids = Array.from({ length: MAX_HEADINGS_FOUND + 1 }, (_, at) => `id${at}`);
  for (const withBlocks of ['', ' ^block']) {
    const text = ids.map((id) => `# A {#${id}}\n${withBlocks}\n`).join('');
    const found = scanIds(text, scanBlocks(text));
    expect(found.ids).toEqual(ids.slice(0, -1));
    expect(found.blocks).toHaveLength(withBlocks === '' ? 0 : MAX_HEADINGS_FOUND);
  }
});

test('a heading is below the last one before it with a lower level', () => {
  const level = fc.integer({ min: 1, max: 6 });
  fc.assert(
    fc.property(fc.array(level, { maxLength: 12 }), (levels) => {
      const parent = (level: number, at: number) => {
        const found = levels.slice(0, at).findLastIndex((other) => other < level);
        return found === -1 ? undefined : found;
      };
      expect(parentsOf(levels.map((level) => ({ level, text: '' })))).toEqual(levels.map(parent));
    }),
  );
});

/** The line of the heading that an anchor names in a text, or the kind of what it names. */
function target(text: string, anchor: string, kind: 'wiki' | 'inline' = 'wiki') {
  const { headings, prose, ...rest } = scanBlocks(text);
  const found = anchorFinder({ headings, ...scanIds(text, { headings, prose, ...rest }) })(anchor, kind);
  return found?.kind === 'heading' ? headings[found.index]?.line : (found?.kind ?? null);
}

test('an anchor without a name leads to the page, and one of signs alone leads to no empty heading', () => {
  for (const kind of ['wiki', 'inline'] as const) {
    expect(target('#\n', '', kind)).toBe('page');
    expect(target('#\n', '  ', kind)).toBe('page');
    expect(target('#\n', '!?', kind)).toBeNull();
  }
  expect([target('', 'Top', 'inline'), target('', ':~:text=a', 'inline')]).toEqual(['page', 'page']);
  expect(target('# Top\n', 'top')).toBe(1);
  for (const name of ['laptop', 'topics', 'a-:~:']) expect(target(`# ${name}\n`, name, 'inline')).toBe(1);
});

test('blanks around an anchor, and names without text between its hashes, change nothing', () => {
  const text = '# A\n## C\n# B\n## C\n\ntext ^block\n';
  for (const anchor of ['B#C', ' B#C ', 'B##C', '#B# #C#']) expect(target(text, anchor)).toBe(4);
  for (const anchor of ['^block', ' ^block ', 'B#^block']) expect(target(text, anchor)).toBe('block');
  for (const anchor of ['^block#C', 'B^block', '^other']) expect(target(text, anchor)).toBeNull();
});

test('a heading is named without the id of its own block', () => {
  const text = '# One ^one\n# Two ^-2\n# a^three\n# x ^four more\n';
  expect(['One', 'Two', 'a^three', 'x ^four more'].map((name) => target(text, name))).toEqual([1, 2, 3, 4]);
  for (const name of ['a', 'x', 'x more', 'One one']) expect(target(text, name)).toBeNull();
});

test('signs part the words of a heading, and a number behind a slug counts equal headings', () => {
  expect(target('# a,b\n', 'a b')).toBe(1);
  expect(target('# a,b\n', 'ab')).toBeNull();
  const text = '# Same\n'.repeat(12);
  expect(['same', 'same-1', 'same-11'].map((anchor) => target(text, anchor, 'inline'))).toEqual([1, 2, 12]);
  for (const anchor of ['same-12', 'same-1x', 'x-same-1']) expect(target(text, anchor, 'inline')).toBeNull();
  expect(['Ärger & Co.', 'a -- b', '-x-', 'C#'].map(slugOf)).toEqual(['ärger-co', 'a-b', 'x', 'c']);
});

test('a block with its id on a line of its own is found at the beginning and at the end of a page', () => {
  const blockOf = (text: string, id = 'id') => {
    const span = findBlock(text, scanBlocks(text), id);
    return span && text.slice(span.start, span.end);
  };
  for (const text of ['^id', '^id\n', '\n^id\n', '\n\n  ^id  \n']) expect(blockOf(text)).toBe(text);
  const block = 'first\nsecond\n\n \n ^id \n';
  for (const before of ['', '\n', 'above\n\n']) expect(blockOf(`${before}${block}\nbelow\n`)).toBe(block);
  expect(blockOf('above\n\nthe last ^id')).toBe('the last ^id');
  expect(blockOf('one ^id  \r\n\r\nbelow')).toBe('one ^id  \r\n');
});

test('a page of the largest size is scanned and asked in a moment', () => {
  const many = '## Same ^id\n\n<a x \n\n'.repeat(100_000);
  const scanned = scanBlocks(many);
  const used = idleCpuMsOf(() => {
    const ask = anchorFinder({ headings: scanned.headings, ...scanIds(many, scanned) });
    expect(ask('Other#Same', 'inline')).toBeNull();
    expect(ask('same-99999', 'inline')).not.toBeNull();
  });
  expect(used).toBeLessThan(4_000);
});
