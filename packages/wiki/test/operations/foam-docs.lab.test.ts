import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openWiki } from '../../src/open-wiki.ts';
import { git, temporaryDirectory } from '../native-git.ts';
import { TestWiki } from './test-wiki.ts';

function foamDocsBundle(): string {
  const corpora =
    process.env.PAGETREE_CORPORA ?? resolve(import.meta.dirname, '../../../../../shared/corpora');
  const bundle = join(corpora, 'foam-docs.bundle');
  if (existsSync(bundle)) return bundle;
  throw new Error(`There is no ${bundle}: set PAGETREE_CORPORA to where the corpora lie.`);
}

/** A real wiki of 86 pages, 405 commits and 98 authors. */
async function openFoamDocs(): Promise<TestWiki> {
  const directory = temporaryDirectory();
  const repository = join(directory, 'foam.git');
  git(directory, ['clone', '--quiet', '--bare', foamDocsBundle(), repository]);
  const host = { backend: 'local', versions: {}, problems: [] };
  const opened = await openWiki({ directory, wiki: 'foam', placement: 'local', host });
  onTestFinished(async () => {
    await opened.close();
    expect(git(repository, ['fsck', '--strict', '--no-dangling'])).toBe('');
  });
  return new TestWiki({ wiki: opened.wiki, settle: opened.settle, git: (args) => git(repository, args) });
}

async function allPaths(wiki: TestWiki): Promise<string[]> {
  const { pages, total } = await wiki.run('list_pages', { limit: 200 });
  expect(pages).toHaveLength(total);
  return pages.map((page) => page.path);
}

async function wholePage(wiki: TestWiki, path: string): Promise<string> {
  let text = '';
  let next: { start_line?: number; start_char?: number } = {};
  for (;;) {
    const page = await wiki.run('read_page', { path, ...next });
    text += page.content;
    if (page.next_start_line === null) return text;
    next = { start_line: page.next_start_line, start_char: page.next_start_char ?? 0 };
  }
}

test('a bundle of a real wiki is imported with every commit under its own oid', async () => {
  const directory = temporaryDirectory();
  const host = { backend: 'local', versions: {}, problems: [] };
  const opened = await openWiki({ directory, wiki: null, placement: 'local', host });
  onTestFinished(() => opened.close());
  const repository = join(directory, 'imported.git');
  const wiki = new TestWiki({
    wiki: opened.wiki,
    settle: opened.settle,
    git: (args) => git(repository, args),
  });
  const content = readFileSync(foamDocsBundle()).toString('base64');
  const imported = await wiki.run('import_wiki', { wiki: 'imported', content });
  expect(imported).toMatchObject({ kind: 'history', commits: 405, pages: 86 });

  const cloned = join(directory, 'cloned');
  git(directory, ['clone', '--quiet', '--bare', foamDocsBundle(), cloned]);
  const commits = git(cloned, ['log', '--format=%H', 'main']);
  expect(commits.split('\n')).toHaveLength(405);
  expect(await wiki.git('log', '--format=%H', 'main')).toBe(commits);
  const oids: string[] = [];
  let cursor: string | null = null;
  do {
    const query = { wiki: 'imported', limit: 200, ...(cursor !== null && { cursor }) };
    const part: { entries: { commit: string }[]; next_cursor: string | null } = await wiki.run(
      'get_history',
      query,
    );
    oids.push(...part.entries.map((entry) => entry.commit));
    cursor = part.next_cursor;
  } while (cursor !== null);
  expect(oids.join('\n')).toBe(commits);
  await wiki.run('append_to_page', { wiki: 'imported', path: 'docs/index', content: 'written here' });
  expect(await wiki.git('fsck', '--strict', '--no-dangling')).toBe('');

  const { content: exported } = await wiki.run('export_wiki', { wiki: 'imported', format: 'bundle' });
  const again = await wiki.run('import_wiki', { wiki: 'again', content: exported ?? '' });
  expect(again).toMatchObject({ commits: 406 });
});

test('every page of a real wiki is listed, and is read as git shows it', async () => {
  const wiki = await openFoamDocs();
  const paths = await allPaths(wiki);
  const listed = (await wiki.git('ls-tree', '-r', '--name-only', '-z', 'HEAD')).split('\0');
  const pages = listed.filter((path) => path.endsWith('.md'));
  expect(pages).toHaveLength(86);
  expect(paths.map((path) => `${path}.md`).toSorted()).toEqual(pages.toSorted());
  for (const path of paths) {
    const shown = await wiki.git('show', `HEAD:${path}.md`);
    expect((await wholePage(wiki, path)).replace(/\n$/, ''), path).toBe(shown);
  }
});

/** Pages whose history is another than that of `git log --follow`, and why. At most five are allowed. */
const otherwise: Record<string, string> = {
  'docs/index': 'reports a merge that itself combined two changes of the page, which --follow leaves out',
};

test('every page has the history that git log --follow reports', async () => {
  const wiki = await openFoamDocs();
  const different: string[] = [];
  for (const path of await allPaths(wiki)) {
    const entries: string[] = [];
    let cursor: string | null = null;
    do {
      const part: { entries: { commit: string }[]; next_cursor: string | null } = await wiki.run(
        'get_history',
        {
          path,
          limit: 200,
          ...(cursor !== null && { cursor }),
        },
      );
      entries.push(...part.entries.map((entry) => entry.commit));
      cursor = part.next_cursor;
    } while (cursor !== null);
    const followed = (await wiki.git('log', '--follow', '--format=%H', '--', `${path}.md`)).split('\n');
    if (entries.join() !== followed.join()) different.push(path);
  }
  expect(different).toEqual(Object.keys(otherwise));
});

test('a move in a real wiki rewrites every link, and all others lead where they led', async () => {
  const wiki = await openFoamDocs();
  const paths = await allPaths(wiki);
  const linksOf = async () => {
    const links = new Map<string, string[]>();
    for (const path of await allPaths(wiki)) {
      links.set(path, (await wiki.run('get_links', { path })).links_to);
    }
    return links;
  };
  const linkedFrom = new Map<string, number>();
  const before = await linksOf();
  for (const target of [...before.values()].flat()) linkedFrom.set(target, (linkedFrom.get(target) ?? 0) + 1);
  const [hub] = [...linkedFrom].toSorted((a, b) => b[1] - a[1])[0] ?? [];
  if (hub === undefined) throw new Error('no page is linked to');

  const place = 'moved here/100% #1 (new)';
  const moved = await wiki.run('move_page', { path: hub, new_path: place });
  expect(moved.updated_total).toBeGreaterThan(10);
  const after = await linksOf();
  const renamed = (path: string) => (path === hub ? place : path);
  for (const path of paths) {
    const expected = (before.get(path) ?? []).map(renamed);
    expect(after.get(renamed(path))?.toSorted(), path).toEqual(expected.toSorted());
  }
  expect((await wiki.run('get_history', { path: place, limit: 2 })).entries[0]?.pages_total).toBe(
    moved.updated_total + 1,
  );
});
