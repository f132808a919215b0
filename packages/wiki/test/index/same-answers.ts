import { expect } from 'vitest';
import type { Index, SearchHit, SearchQuery } from '../../src/core/index-port.ts';

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
  'nothing-of-the-kind',
  '***',
];

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
    expect(await index.everyLink(commit, folders)).toEqual(await judge.everyLink(commit, folders));
  }
  await sameLists(index, judge, commit);
  await sameHistories(index, judge, commit, paths);
  for (const path of paths) {
    expect(await index.links(commit, path), path).toEqual(await judge.links(commit, path));
  }
  for (const query of queries) await sameSearch(index, judge, { ...search, commit, query });
  await sameSearch(index, judge, { ...search, commit, query: 'template home', limit: 2, offset: 1 });
  await sameSearch(index, judge, { ...search, commit, query: 'home', prefix: 'a/' });
  await sameSearch(index, judge, { ...search, commit, query: 'template', tag: 'Guide' });
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
  ]) {
    expect(await index.list(query)).toEqual(await judge.list(query));
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
  for (const [at, { score }] of found.rows.entries())
    expect(score).toBeCloseTo(wanted.rows[at]?.score ?? 0, 2);
}

function withoutScores(rows: readonly SearchHit[]) {
  return rows.map(({ score: _, ...row }) => row);
}
