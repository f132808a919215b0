import { expect, test } from 'vitest';
import { connect } from './connect.ts';

const oid = '0'.repeat(40);
const call = { caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: null } };

function answering(output: unknown) {
  return connect(async () => ({ ok: true, output }));
}

test('the status of an older function, which has fewer fields, is accepted', async () => {
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

test('the maintenance report of an older function, which has fewer fields, is accepted', async () => {
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

test('the bytes of a file travel as Base64, and come back as bytes to a caller that takes them', async () => {
  const sent: unknown[] = [];
  const wiki = connect(async ({ input }) => {
    sent.push(input);
    const content = Buffer.from('of the wiki').toString('base64');
    const attachment = {
      path: 'a.bin',
      version: oid,
      commit: oid,
      type: 'x',
      size: 11,
      content,
      saved_to: null,
    };
    const output = { ...attachment, previous_version: null, changed: true };
    return { ok: true, output };
  });
  await wiki.put_attachment({ path: 'a.bin' }, { ...call, bytes: Buffer.from('of the caller') });
  expect(sent).toEqual([{ path: 'a.bin', content: Buffer.from('of the caller').toString('base64') }]);
  const taken: string[] = [];
  const takeBytes = (bytes: Uint8Array) => taken.push(Buffer.from(bytes).toString());
  const answer = await wiki.get_attachment({ path: 'a.bin' }, { ...call, takeBytes });
  expect([answer.content, taken]).toEqual([null, ['of the wiki']]);
});
