import { expect } from 'vitest';
import type { Index, SearchHit, SearchQuery } from '../../src/core/index-port.ts';
import { nameKey } from '../../src/core/text/links/link-names.ts';

const queries = [
  'template',
  'templat',
  'tempalte install',
  '"quick brown fox"',
  'templ*',
  'the index',
  '使用模板',
  '検索',
  '板',
  'ค้นหา',
  'strasse cafe',
  'home',
  'a/home',
  'C# Guide',
  'start',
  'TCP/IP',
  '"quick bro*" t*',
  'nothing-of-the-kind',
  'how do I install the templates',
  'wie werden die Vorlagen benutzt',
  '***',
];

const linkNames = ['note', 'home', 'c# guide', 'nowhere', 'start', 'img.png'].map(nameKey);

/** Every answer of `index` as of a commit is the one that `judge` gives. */
export async function expectSameAnswers(
  index: Index,
  judge: Index,
  commit: string,
  paths: readonly string[],
): Promise<void> {
  expect(await index.count(commit)).toBe(await judge.count(commit));
  expect(await index.paths(commit)).toEqual(await judge.paths(commit));
  for (const folders of [undefined, ['a/'], ['a/b/', 'none/']]) {
    const names = await Promise.all([index.names(commit, folders), judge.names(commit, folders)]);
    const [found, wanted] = names.map(({ treePaths, aliases }) => [treePaths.toSorted(), aliases.toSorted()]);
    expect(found).toEqual(wanted);
    const everyPage = (names[0]?.treePaths ?? []).filter((path) => path.endsWith('.md'));
    expect(await index.anchors(commit, everyPage)).toEqual(await judge.anchors(commit, everyPage));
    expect(await index.everyLink(commit, folders)).toEqual(await judge.everyLink(commit, folders));
    expect(await index.sketches(commit, folders)).toEqual(await judge.sketches(commit, folders));
  }
  const named = await Promise.all([index, judge].map((each) => each.linksNamed(commit, linkNames)));
  const [links, wantedLinks] = named.map((each) => each.map((link) => JSON.stringify(link)).sort());
  expect(links).toEqual(wantedLinks);
  const texts = ['quick brown', '使用模板', 'img.png', '***'];
  const naming = await Promise.all([index, judge].map((each) => each.pagesNaming(commit, texts, 50)));
  expect(naming[0]?.toSorted()).toEqual(naming[1]?.toSorted());
  expect((await index.files(commit)).toSorted()).toEqual((await judge.files(commit)).toSorted());
  await sameLists(index, judge, commit);
  await sameHistories(index, judge, commit, paths);
  for (const path of paths) {
    expect(await index.departure(commit, path), path).toEqual(await judge.departure(commit, path));
    const { entries } = await judge.history({ commit, path, offset: 0, limit: 3, pagesMost: 0 });
    for (const { commit: since, path: then } of entries) {
      const moves = [index, judge].map((each) => each.moveAfter(commit, then ?? path, since.oid));
      const [move, wanted] = await Promise.all(moves);
      expect(move, path).toEqual(wanted);
    }
    expect(await index.links(commit, path), path).toEqual(await judge.links(commit, path));
  }
  for (const query of queries) await sameSearch(index, judge, { ...search, commit, query });
  await sameSearch(index, judge, { ...search, commit, query: 'template home', limit: 2, offset: 1 });
  await sameSearch(index, judge, { ...search, commit, query: 'home', prefix: 'a/' });
  await sameSearch(index, judge, { ...search, commit, query: 'template', tag: 'Guide' });
  await sameSearch(index, judge, {
    ...search,
    commit,
    query: 'template',
    property: 'title',
    withoutHidden: true,
  });
  await sameSearch(index, judge, { ...search, commit, query: 'template', withoutHidden: true });
  const updatedUntil = new Date(1_700_000_010_000);
  await sameSearch(index, judge, { ...search, commit, query: 'template', updatedUntil });
  for (const writer of [{ author: 'GRACE' }, { agent: 'test' }, { author: 'ada', agent: 'TEST/1' }]) {
    await sameSearch(index, judge, { ...search, commit, query: 'template home', ...writer });
    await sameSearch(index, judge, { ...search, commit, query: 'home', ...writer, folders: ['a/'] });
    await sameSearch(index, judge, { ...search, commit, query: 'the', mode: 'regex', ...writer });
  }
  for (const query of ['how is the template read', 'home', 'templ*', '"quick brown"']) {
    await sameSearch(index, judge, { ...search, commit, query, folders: ['a/'] });
  }
  const { rows } = await judge.list({ commit, prefix: '', sort: 'updated', offset: 0, limit: 50 });
  const alike = [...new Set(rows.map(({ version }) => version))];
  for (const filter of [
    {},
    { prefix: 'a/' },
    { folders: ['a/'] },
    { withoutHidden: true, limit: 2, offset: 1 },
  ]) {
    for (const query of ['how is the template read', 'nothing-of-the-kind', 'home']) {
      await sameSearch(index, judge, { ...search, commit, query, alike, ...filter });
    }
  }
  await sameSearch(index, judge, { ...search, commit, query: 't.*s\\b', mode: 'regex', contextLines: 1 });
}

const search = { mode: 'words' as const, prefix: '', contextLines: 0, offset: 0, limit: 50 };

async function sameLists(index: Index, judge: Index, commit: string): Promise<void> {
  const list = { commit, prefix: '', sort: 'path' as const, offset: 0, limit: 50 };
  for (const query of [
    list,
    { ...list, sort: 'updated' as const },
    { ...list, sort: 'title' as const, offset: 1, limit: 2 },
    { ...list, prefix: 'a/' },
    { ...list, tag: '#guide' },
    { ...list, updatedSince: new Date(1_700_000_010_000) },
    { ...list, updatedUntil: new Date(1_700_000_010_000) },
    { ...list, property: 'Title: the INDEX' },
    { ...list, property: 'description' },
    { ...list, withoutHidden: true },
  ]) {
    expect(await index.list(query)).toEqual(await judge.list(query));
  }
  for (const folders of [undefined, ['a/']])
    for (const window of [
      { offset: 0, limit: 50 },
      { offset: 1, limit: 2 },
    ]) {
      const query = { commit, folders, ...window };
      expect(await index.tags(query)).toEqual(await judge.tags(query));
    }
}

async function sameHistories(
  index: Index,
  judge: Index,
  commit: string,
  paths: readonly string[],
): Promise<void> {
  const all = { commit, offset: 0, limit: 50, pagesMost: 20 };
  for (const query of [
    all,
    { ...all, offset: 1, limit: 3, pagesMost: 1 },
    { ...all, author: 'grace' },
    { ...all, agent: 'TEST' },
    { ...all, folders: ['a/'] },
    { ...all, folders: ['a/b/', 'none/'], author: 'grace', offset: 1 },
    { ...all, since: new Date(1_700_000_000_000), until: new Date(1_700_000_020_000) },
    ...paths.map((path) => ({ ...all, path })),
    ...paths.map((path) => ({ ...all, path, author: 'ADA@', offset: 1, limit: 2 })),
  ]) {
    expect(await index.history(query)).toEqual(await judge.history(query));
  }
}

async function sameSearch(index: Index, judge: Index, query: SearchQuery): Promise<void> {
  const [found, wanted] = [await index.search(query), await judge.search(query)];
  expect(withoutScores(found.rows), query.query).toEqual(withoutScores(wanted.rows));
  expect(found.total).toBe(wanted.total);
  for (const [at, { score, title, lines }] of found.rows.entries()) {
    expect(score).toBeCloseTo(wanted.rows[at]?.score ?? 0, 2);
    for (const text of [title, ...lines.map((line) => line.text)])
      expect(found.wordsIn?.(text)).toEqual(wanted.wordsIn?.(text));
  }
}

function withoutScores(rows: readonly SearchHit[]) {
  return rows.map(({ score: _, ...row }) => row);
}
