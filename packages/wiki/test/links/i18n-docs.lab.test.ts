import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findingKinds } from '../../src/contract/operations/checking.ts';
import { openWiki } from '../../src/open-wiki.ts';
import { git, temporaryDirectory } from '../native-git.ts';
import { commitFiles } from '../operations/local-backends.ts';
import { TestWiki } from '../operations/test-wiki.ts';
import { languageDocs, languageOf } from './language-docs.ts';
import { LargeVault, type PageLinks } from './large-vault.ts';
import { languageMoves } from './links-config.ts';
import { addressOf } from './vault-state.ts';

const { languages, hubs, folders, lastSample } = languageMoves;
/** After each move all links are made out slowly, and get_links is asked of one in so many pages. */
const SAMPLE = { touched: 5, others: 100 };
/** Pages that nobody changed for long are left out: a move is a change. */
const KINDS = findingKinds.filter((kind) => kind !== 'stale');

type Pages = ReadonlyMap<string, PageLinks>;

test('in documentation in several languages, links stay in their language, and moves there and back change nothing', async () => {
  const { files, written } = languageDocs(languages);
  const { wiki, repository } = await openWith(files);
  const vault = new LargeVault(repository);
  const before = vault.read();
  const crossing = linksAcross(before);
  expect(crossing.filter((link) => !/\]\(\/[a-z-]+\//.test(link))).toEqual([]);
  expect(crossing).toHaveLength(written['to another language']);

  const tree = await wiki.git('rev-parse', 'HEAD^{tree}');
  const findings = await findingsOf(wiki);
  const counts = await countsOf(wiki);
  const report = { moves: 0, rewritten: 0, retargeted: 0, 'links compared': 0 };
  for (const [path, place] of [...hubMoves(before), ...folderMoves(before)]) {
    const there = await wiki.run('move_page', { path, new_path: place });
    const moved = (page: string) => movedTo(page, path, place);
    await wiki.git('rev-parse', 'HEAD');
    const now = vault.read();
    expect(differences(before, now, moved), `${path} -> ${place}`).toEqual([]);
    const touched = new Set([...there.updated_pages, place].map((page) => `${page}.md`));
    const sample = [...now.keys()].filter(
      (page, at) => (at + report.moves) % (touched.has(page) ? SAMPLE.touched : SAMPLE.others) === 0,
    );
    await compareWithWiki(wiki, now, sample);

    const back = await wiki.run('move_page', { path: place, new_path: path });
    report.moves += 1;
    report.rewritten += there.updated_total;
    report.retargeted += (there.retargeted_total ?? 0) + (back.retargeted_total ?? 0);
    report['links compared'] += [...now.values()].reduce((sum, { links }) => sum + links.length, 0);
    expect(await countsOf(wiki), `${path} and back`).toEqual(counts);
    expect(await wiki.git('rev-parse', 'HEAD^{tree}'), `${path} and back`).toBe(tree);
  }
  const last = [...before.keys()].filter((_, at) => at % lastSample === 0);
  await compareWithWiki(wiki, before, last);
  expect(await findingsOf(wiki)).toEqual(findings);
  expect(report).toMatchObject({ moves: hubs + folders, retargeted: 0 });
  process.stdout.write(
    `${JSON.stringify({ pages: before.size, written, crossing: crossing.length, ...report, findings: findings.length })}\n`,
  );
}, 1_800_000);

async function openWith(files: Record<string, string>): Promise<{ wiki: TestWiki; repository: string }> {
  const directory = temporaryDirectory();
  const repository = join(directory, 'docs.git');
  git(directory, ['init', '--quiet', '--bare', '--initial-branch=main', repository]);
  commitFiles(repository, files);
  const host = { backend: 'local', versions: {}, problems: [] };
  const opened = await openWiki({ directory, wiki: 'docs', placement: 'local', host });
  onTestFinished(async () => {
    await opened.close();
    expect(git(repository, ['fsck', '--strict', '--no-dangling'])).toBe('');
  });
  const { wiki, settle } = opened;
  return { wiki: new TestWiki({ wiki, settle, git: (args) => git(repository, args) }), repository };
}

/** As they are written. */
function linksAcross(pages: Pages): string[] {
  return [...pages].flatMap(([path, { links, leads }]) =>
    links.flatMap(({ written }, at) => {
      const target = leads[at] ?? null;
      return target !== null && languageOf(target) !== languageOf(path) ? [written] : [];
    }),
  );
}

/** Each of the pages that the most links lead to: in turn to a name and to a folder of its own. */
function hubMoves(pages: Pages): [string, string][] {
  const targets = [...pages.values()].flatMap(({ leads }) => leads.filter((path) => path !== null));
  return mostFrequent(targets, hubs).map((path, at) => {
    const page = addressOf(path);
    const place = [languageOf(path), `moved ${at}`, page.split('/').at(-1)].join('/');
    return [page, at % 2 === 0 ? `${page} (moved ${at})` : place];
  });
}

/** The folders with the most pages below a language: in turn to a name beside it, up, down, and down under a name. */
function folderMoves(pages: Pages): [string, string][] {
  const parents = [...pages.keys()].map((path) => path.split('/').slice(0, -1).join('/'));
  const below = parents.filter((folder) => folder.includes('/'));
  return mostFrequent(below, folders).map((folder, at) => {
    const language = languageOf(folder);
    const name = folder.split('/').at(-1);
    const places = [
      `${folder}-moved`,
      `${language}/up ${at}`,
      `${language}/down ${at}/a/b/${name}`,
      `${folder} ${at}/deep`,
    ];
    return [`${folder}/`, `${places[at % places.length]}/`];
  });
}

function mostFrequent(paths: readonly string[], count: number): string[] {
  const groups = [...Map.groupBy(paths, (path) => path)];
  const sorted = groups.toSorted(([a, many], [b, few]) => few.length - many.length || (a < b ? -1 : 1));
  return sorted.slice(0, count).map(([path]) => path);
}

/** Pages of which a link leads elsewhere than before; `moved` says where a page is now. */
function differences(before: Pages, now: Pages, moved = (page: string) => page) {
  const place = (path: string) => `${moved(addressOf(path))}.md`;
  return [...before].filter(([path, { leads }]) => {
    const expected = leads.map((target) => (target === null ? null : place(target)));
    return JSON.stringify(now.get(place(path))?.leads) !== JSON.stringify(expected);
  });
}

/** Compares these pages with the answers of get_links. */
async function compareWithWiki(wiki: TestWiki, pages: Pages, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const { links = [], leads = [] } = pages.get(path) ?? {};
    const { links_to, attachments, broken } = await wiki.run('get_links', { path: addressOf(path) });
    const targets = leads.flatMap((target, at) =>
      target === null || links[at]?.target === '' ? [] : [target],
    );
    const expected = {
      leads: [...new Set(targets)].map(addressOf).toSorted(),
      broken: links.filter((_, at) => leads[at] === null).map(({ line }) => line),
    };
    const said = { leads: [...links_to, ...attachments].toSorted(), broken: broken.map(({ line }) => line) };
    expect(said, `get_links of ${path}`).toEqual(expected);
  }
}

/** All that check_wiki finds. */
async function findingsOf(wiki: TestWiki): Promise<unknown[]> {
  const findings: unknown[] = [];
  let cursor: string | null = null;
  do {
    const query = { limit: 200, kinds: KINDS, ...(cursor !== null && { cursor }) };
    const part: { findings: unknown[]; next_cursor: string | null } = await wiki.run('check_wiki', query);
    findings.push(...part.findings);
    cursor = part.next_cursor;
  } while (cursor !== null);
  return findings;
}

/** The same in numbers, and the first of them. */
async function countsOf(wiki: TestWiki): Promise<unknown> {
  const { counts, findings } = await wiki.run('check_wiki', { limit: 200, kinds: ['broken_link', 'orphan'] });
  return { counts, findings };
}

function movedTo(address: string, path: string, place: string): string {
  if (path.endsWith('/') && address.startsWith(path)) return place + address.slice(path.length);
  return address === path ? place : address;
}
