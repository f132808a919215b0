import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openWiki } from '@pagetree/wiki';
import { callOperation, type Output } from '@pagetree/wiki/contract';
import { expect, onTestFinished, test } from 'vitest';
import { languageDocs } from '../../../wiki/test/links/language-docs.ts';
import { git, temporaryDirectory } from '../../../wiki/test/native-git.ts';
import { commitFiles } from '../../../wiki/test/operations/local-backends.ts';
import { corpus } from '../render/corpora-config.ts';
import { exportSite } from './export-site.ts';
import { serveFiles } from './file-server.ts';
import { followLinks } from './follow-links.ts';

test('no link of foam-docs is dead, and each that check_wiki reports is shown so', async () => {
  const { reported, broken } = await follow((repository) => {
    git('.', ['clone', '--quiet', '--bare', corpus('foam-docs.bundle'), repository]);
  });
  const links = [...(reported.get('broken_link') ?? []), ...(reported.get('broken_anchor') ?? [])];
  expect(countEach(broken)).toEqual(countEach(links));
});

/**
 * A definition of a link counts once for check_wiki, and as often as it is used in the site. A wikilink with the address of
 * a heading leads there in a browser, and names no heading for check_wiki.
 */
test('no link of the documentation in nine languages is dead', async () => {
  const { reported, broken, deadPlaces } = await follow((repository) => {
    git('.', ['init', '--quiet', '--bare', '--initial-branch=main', repository]);
    commitFiles(repository, languageDocs(null).files);
  });
  const anchors = countEach(reported.get('broken_anchor') ?? []);
  const links = new Set([...(reported.get('broken_link') ?? []), ...anchors.keys()]);
  expect(broken.filter((page) => !links.has(page))).toEqual([]);
  for (const [page, count] of countEach(deadPlaces))
    expect(count, page).toBeLessThanOrEqual(anchors.get(page) ?? 0);
});

/** Exports a wiki, follows its links, and checks it. Each list names the page of each link. */
async function follow(make: (repository: string) => void) {
  const directory = temporaryDirectory();
  const wikis = join(directory, 'wikis');
  mkdirSync(wikis);
  make(join(wikis, 'docs.git'));
  const site = join(directory, 'site');
  const { code, said, reported: progress } = await exportSite(wikis, site, '--wiki', 'docs');
  expect(code, progress).toBe(0);
  const { deadPlaces, broken, ...followed } = await followLinks(site, await serveFiles(site));
  const reported = await findBroken(wikis);
  const shown = [...broken].flatMap(([file, count]) => Array.from({ length: count }, () => pageOf(file)));
  const bytes = sum(
    readdirSync(site, { recursive: true, encoding: 'utf8' })
      .map((file) => statSync(join(site, file)))
      .map((file) => (file.isFile() ? file.size : 0)),
  );
  const counts = {
    pages: followed.pages,
    links: followed.links,
    broken: shown.length,
    deadPlaces: deadPlaces.length,
    reported: Object.fromEntries([...reported].map(([kind, pages]) => [kind, pages.length])),
    bytes,
  };
  process.stdout.write(`${said}${JSON.stringify(counts)}\n`);
  expect(followed).toMatchObject({ dead: [], foreign: [], withoutPolicy: [], plain: [] });
  return {
    reported,
    broken: shown,
    deadPlaces: deadPlaces.map((each) => pageOf(each.slice(0, each.indexOf(': ')))),
  };
}

/** The pages of the links that lead nowhere, as check_wiki reports them. */
async function findBroken(directory: string): Promise<Map<string, string[]>> {
  const host = { backend: 'local', versions: {}, problems: [] };
  const opened = await openWiki({ directory, wiki: 'docs', placement: 'local', host });
  onTestFinished(() => opened.close());
  const caller = { author: { name: 'A reader', email: '' }, agent: 'lab' };
  const found: { kind: string; path: string }[] = [];
  let cursor: string | undefined;
  do {
    const input = { kinds: ['broken_link', 'broken_anchor'], limit: 200, cursor };
    const answer = await callOperation(opened.wiki, 'check_wiki', input, { caller });
    const { findings, next_cursor } = answer as Output<'check_wiki'>;
    found.push(...findings);
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
  const byKind = Map.groupBy(found, ({ kind }) => kind);
  return new Map([...byKind].map(([kind, findings]) => [kind, findings.map(({ path }) => path)]));
}

/** The page of a file; a page `index` has a number, since the list of its folder has the name. */
function pageOf(file: string): string {
  return file.replace(/(?:=-\d+)?\.html$/, '');
}

function countEach(pages: readonly string[]): Map<string, number> {
  return new Map([...Map.groupBy(pages, (page) => page)].map(([page, all]) => [page, all.length]));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
