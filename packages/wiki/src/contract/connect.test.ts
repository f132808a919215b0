import { expect, test } from 'vitest';
import { connect } from './connect.ts';

const oid = '0'.repeat(40);
const call = { caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: null } };

function answering(output: unknown) {
  return connect(async () => ({ ok: true, output }));
}

test('a function of an older version, which says less of the status, is understood', async () => {
  const wiki = answering({
    wiki: 'main',
    wikis: ['main'],
    branch: 'main',
    head: oid,
    pages: 1,
    backend: 'Lambda',
    read_only: false,
    limits: {},
    versions: {},
    clone: null,
    problems: [],
  });
  expect(await wiki.wiki_status({}, call)).toMatchObject({ head: oid, scope: null });
});

test('a function of an older version, which says less of maintenance, is understood', async () => {
  const wiki = answering({
    mode: 'tidy',
    packs_before: 2,
    packs: 1,
    deleted: {},
    index_saved: true,
    commits_checked: null,
    problems: [],
    repair_commit: null,
    lost: [],
    more: 0,
  });
  expect(await wiki.maintain_wiki({ mode: 'tidy', all: false }, call)).toMatchObject({
    packs: 1,
    unfinished: [],
    lost_commits: [],
    packs_replaced: 0,
    order_restored: false,
  });
});
