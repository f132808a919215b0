import { expect, test } from 'vitest';
import { idleCpuMsOf } from '../../../../test/machine-speed.ts';
import { anchorFinder, findBlock, scanIds } from './anchors.ts';
import { scanBlocks } from './markdown-blocks.ts';

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
