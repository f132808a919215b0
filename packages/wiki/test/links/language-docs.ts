import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { temporaryDirectory } from '../native-git.ts';
import { resolverOf } from './large-vault.ts';
import { relative } from './random-vault.ts';

/**
 * The real documentation of i18n-docs.tar.gz, one folder per language, with its own names and places of pages. Its
 * links are addresses of web sites, such as `/ja/guides/images/#usage`, which lead nowhere in a wiki. Each that
 * names a page of the corpus becomes a link of ours, in turn a wikilink with its text, a bare one, a relative
 * Markdown link and one from the root; each fiftieth leads to the English page. Wikilinks take the shortest form: a move rewrites links to that, and only so
 * can moving back restore every byte. To another language lead Markdown links from the root alone: so it is written.
 */
export function languageDocs(languages: readonly string[] | null): {
  files: Record<string, string>;
  written: Counts;
} {
  const pages = readCorpus(languages);
  const resolve = resolverOf([...pages.keys()]);
  const written: Counts = { wiki: 0, relative: 0, 'from the root': 0, 'to another language': 0 };
  const files: Record<string, string> = {};
  let turn = 0;
  for (const [path, text] of pages) {
    files[path] = text.replaceAll(SITE_LINK, (whole, shown: string, place: string, hash = '') => {
      const own = [`${place}.md`, `${place}/index.md`].find((page) => pages.has(page));
      if (own === undefined || own === path) return whole;
      turn += 1;
      const target = turn % 50 === 0 ? inEnglish(own, pages) : own;
      if (languageOf(target) !== languageOf(path)) {
        written['to another language'] += 1;
        return `[${shown}](/${target}${hash})`;
      }
      const form = formOf(turn, shown);
      written[form] += 1;
      if (form === 'from the root') return `[${shown}](/${target}${hash})`;
      if (form === 'relative') return `[${shown}](${fromFolder(path, target)}${hash})`;
      const label = turn % 4 === 0 ? `${hash}|${shown}` : '';
      return `[[${shortest(target, path, resolve)}${label}]]`;
    });
  }
  return { files, written };
}

function fromFolder(path: string, target: string): string {
  return relative(path, target).replace(/^\.\//, '');
}

function formOf(turn: number, shown: string): 'wiki' | 'relative' | 'from the root' {
  if (turn % 4 < 2 && !/[`|[\]!<]/.test(shown)) return 'wiki';
  return turn % 4 === 3 ? 'from the root' : 'relative';
}

/** The English page for one in another language, if there is one. */
function inEnglish(page: string, pages: ReadonlyMap<string, string>): string {
  const english = page.replace(/^[^/]+/, 'en');
  return pages.has(english) ? english : page;
}

type Counts = Record<'wiki' | 'relative' | 'from the root' | 'to another language', number>;

const SITE_LINK = /(?<!!)\[([^[\]\n]+)\]\(\/((?:ar|de|en|es|ja|ko|ru|th|zh-cn)\/[\w/.-]*?)\/?(#[^)\s]*)?\)/g;

export function languageOf(path: string): string {
  return path.split('/')[0] ?? '';
}

function shortest(target: string, from: string, resolve: ReturnType<typeof resolverOf>): string {
  const parts = target.replace(/\.md$/, '').split('/');
  for (let count = 1; count < parts.length; count += 1) {
    const name = parts.slice(-count).join('/');
    if (resolve({ kind: 'wiki', target: name }, from) === target) return name;
  }
  return parts.join('/');
}

/** The pages of these languages, or of all nine, by their paths. */
function readCorpus(languages: readonly string[] | null): Map<string, string> {
  const corpora =
    process.env.PAGETREE_CORPORA ?? resolve(import.meta.dirname, '../../../../../shared/corpora');
  const archive = join(corpora, 'i18n-docs.tar.gz');
  if (!existsSync(archive))
    throw new Error(`There is no ${archive}: set PAGETREE_CORPORA to where the corpora lie.`);
  const directory = temporaryDirectory();
  execFileSync('tar', ['-xzf', archive, '-C', directory]);
  const pages = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.md') && (languages?.includes(languageOf(path)) ?? true),
  );
  return new Map(pages.toSorted().map((path) => [path, readFileSync(join(directory, path), 'utf8')]));
}
