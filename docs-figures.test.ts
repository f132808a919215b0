import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** A sentence of a document, and the constant that its figure tells, in units of so many. */
type Figure = [document: string, sentence: RegExp, source: string, constant: string, unit?: number];

const MARKDOWN = 'packages/wiki/src/core/text/markdown';
const NAMED_FILES = 'packages/wiki/src/core/moving/named-files.ts';
const FIGURES: Figure[] = [
  ['docs/links.md', /Links after the ([\d,]+)th of a page/, `${MARKDOWN}/markdown-links.ts`, 'MAX_LINKS'],
  ['docs/links.md', /holds for tags after the ([\d,]+)th/, `${MARKDOWN}/page-facts.ts`, 'MAX_TAGS'],
  ['docs/links.md', /more than (\d+) other pages have the name/, NAMED_FILES, 'MAX_PAGES_NAMING'],
  ['docs/links.md', /more than (\d+) such other files/, NAMED_FILES, 'MAX_FILES_READ'],
  ['docs/links.md', /more than (\d+) MB of them/, NAMED_FILES, 'MAX_BYTES_READ', 1e6],
  ['docs/links.md', /read more than (\d+) pages for this/, NAMED_FILES, 'MAX_PAGES_READ'],
  [
    'docs/static-site.md',
    /An SVG image of up to (\d+) kB/,
    'packages/web/src/cli/export/export-site.ts',
    'MAX_SVG',
    1e3,
  ],
  [
    'docs/web-on-aws.md',
    /than ([\d,]+) bytes together/,
    'packages/infra/src/configuration/web-settings.ts',
    'MAX_RULES_BYTES',
  ],
  [
    'docs/adr/0021-git-over-http.md',
    /at most (\d+) MB of all pushes together/,
    'packages/web/src/git/git-server.ts',
    'MAX_PUSHES_BYTES',
    1e6,
  ],
];

test.each(FIGURES)('%s says what the code does: %s', (document, sentence, source, constant, unit = 1) => {
  const [, said = ''] = sentence.exec(textOf(document)) ?? [];
  const [, value = ''] = new RegExp(`const ${constant} = ([\\d_]+);`).exec(textOf(source)) ?? [];
  expect(value).not.toBe('');
  expect(numberOf(said)).toBe(numberOf(value) / unit);
});

function textOf(path: string): string {
  return readFileSync(join(import.meta.dirname, path), 'utf8');
}

function numberOf(text: string): number {
  return Number(text.replaceAll(/[,_]/g, ''));
}
