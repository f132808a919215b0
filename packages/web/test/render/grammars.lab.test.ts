import { expect, test } from 'vitest';
import { languageDocs } from '../../../wiki/test/links/language-docs.ts';
import { git, temporaryDirectory } from '../../../wiki/test/native-git.ts';
import { corpus, everyPage } from './corpora-config.ts';
import { compareGrammars } from './two-grammars.ts';

test('the wiki sees the headings and links of foam-docs as micromark does', () => {
  const directory = temporaryDirectory();
  git(directory, ['clone', '--quiet', '--bare', corpus('foam-docs.bundle'), 'foam.git']);
  const list = ['--git-dir=foam.git', 'ls-tree', '-r', '-z', '--name-only', 'HEAD'];
  const paths = git(directory, list)
    .split('\0')
    .filter((path) => path.endsWith('.md'));
  const texts = paths.map((path) => git(directory, ['--git-dir=foam.git', 'show', `HEAD:${path}`]));
  expect(compareAll(texts)).toMatchObject({
    pages: 86,
    headings: { ours: 0, theirs: 0 },
    links: { ours: 0, theirs: 0 },
    html: { ours: 0, theirs: 0 },
  });
});

test('in documentation with much HTML it misses no link', () => {
  const texts = Object.values(languageDocs(null).files).filter((_, index) => index % everyPage === 0);
  const { pages, headings, links, html } = compareAll(texts);
  process.stdout.write(`i18n-docs ${JSON.stringify({ pages, headings, links, html })}\n`);
  expect(links.theirs).toBe(0);
  expect(headings).toMatchObject({ ours: 0, theirs: 0 });
});

function compareAll(texts: readonly string[]) {
  const all = texts.map(compareGrammars);
  const sum = (part: 'headings' | 'links' | 'html') => ({
    ours: all.reduce((count, each) => count + each[part].ours.length, 0),
    theirs: all.reduce((count, each) => count + each[part].theirs.length, 0),
    total: all.reduce((count, each) => count + each[part].total, 0),
  });
  return { pages: texts.length, headings: sum('headings'), links: sum('links'), html: sum('html') };
}
