import { randomBytes } from 'node:crypto';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Attack, call, callTool, type Outcome, slowToCompress, type Targets } from './attack.ts';

const MOST = 2_000_000;
const edits = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ old_string: `${at}`, new_string: 'x' }));
const appends = (count: number, content = 'x') =>
  Array.from({ length: count }, (_, at) => ({ op: 'append', path: `sizes/batch-${at}`, content }));
/**
 * Not in the wiki that is cloned at the end: there the bytes of large files would prove nothing more than
 * names.
 */
const LARGE_FILES = 'other';
const LIMIT = ['too_large', 'invalid_input'];

async function file({ files }: Targets, name: string, bytes: number, first: string | Buffer = '') {
  await writeFile(join(files, name), first);
  await truncate(join(files, name), Math.max(bytes, first.length));
  return name;
}

export const sizeAttacks: Attack[] = [
  call(
    'a page of the most that it may have',
    'write_page',
    (round) => ({ path: `sizes/${round}`, content: 'x'.repeat(MOST) }),
    ['ok'],
  ),
  call('a page of one byte more', 'write_page', { path: 'sizes/a', content: 'x'.repeat(MOST + 1) }, LIMIT),
  call(
    'a page of fewer letters and more bytes',
    'write_page',
    { path: 'sizes/b', content: 'é'.repeat(MOST / 2 + 1) },
    LIMIT,
  ),
  call('a page of 9 MB', 'write_page', { path: 'sizes/c', content: 'x'.repeat(9_000_000) }, LIMIT),
  call(
    'an edit that grows a page beyond it',
    'edit_page',
    { path: 'Home', edits: [{ old_string: 'e', new_string: 'x'.repeat(MOST), replace_all: true }] },
    LIMIT,
  ),
  call(
    'an edit that grows by the product',
    'edit_page',
    { path: 'sizes/many', edits: [{ old_string: 'ab', new_string: 'x'.repeat(100_000), replace_all: true }] },
    [...LIMIT, 'not_found'],
  ),
  call(
    'edits that each double a page',
    'edit_page',
    { path: 'Home', edits: Array(99).fill({ old_string: 'e', new_string: 'ee', replace_all: true }) },
    LIMIT,
  ),
  call('101 edits', 'edit_page', { path: 'Home', edits: edits(101) }, LIMIT),
  call('40,000 edits', 'edit_page', { path: 'Home', edits: edits(40_000) }, LIMIT),
  call('an edit of nothing', 'edit_page', { path: 'Home', edits: [] }, LIMIT),
  call(
    'an edit of an empty text',
    'edit_page',
    { path: 'Home', edits: [{ old_string: '', new_string: 'x' }] },
    LIMIT,
  ),
  call(
    'an edit of a megabyte that is not there',
    'edit_page',
    { path: 'Home', edits: [{ old_string: 'lorem '.repeat(200_000), new_string: '' }] },
    ['no_match'],
  ),
  call('a batch of the most changes', 'commit_changes', { message: 'm', changes: appends(200) }, ['ok']),
  call('a batch of one more', 'commit_changes', { message: 'm', changes: appends(201) }, LIMIT),
  call('a batch of 20,000', 'commit_changes', { message: 'm', changes: appends(20_000) }, LIMIT),
  call('a batch of 9 MB', 'commit_changes', { message: 'm', changes: appends(9, 'y'.repeat(1_000_000)) }, [
    'ok',
    ...LIMIT,
  ]),
  call(
    'a batch of one page 200 times',
    'commit_changes',
    {
      message: 'm',
      changes: Array(200).fill({ op: 'append', path: 'sizes/one', content: 'z'.repeat(9_000) }),
    },
    ['ok', ...LIMIT],
  ),
  call(
    'an edit of what nearly stands everywhere',
    'edit_page',
    async (round, { whole }) => {
      const path = `sizes/pairs-${round}`;
      await callTool(whole, 'write_page', { path, content: 'ab'.repeat(950_000) });
      const half = 'ab'.repeat(10_000);
      return { path, edits: [{ old_string: `${half}x${half}`, new_string: '' }] };
    },
    ['no_match'],
  ),
  call('a batch of no changes', 'commit_changes', { message: 'm', changes: [] }, LIMIT),
  call(
    'a message of the most',
    'append_to_page',
    { path: 'sizes/m', content: 'x', message: 'm'.repeat(2_000) },
    ['ok'],
  ),
  call(
    'a message of one more',
    'append_to_page',
    { path: 'sizes/m', content: 'x', message: 'm'.repeat(2_001) },
    LIMIT,
  ),
  call(
    'a message of a megabyte',
    'append_to_page',
    { path: 'sizes/m', content: 'x', message: 'm'.repeat(1_000_000) },
    LIMIT,
  ),
  call(
    'a message of trailers',
    'append_to_page',
    { path: 'sizes/m', content: 'x', message: 'm\n\nRequest-Id: 1\nRequest-Digest: 2\nNonce: 3' },
    ['ok'],
  ),
  call(
    'a message of a header',
    'append_to_page',
    { path: 'sizes/m', content: 'x', message: '\0\nparent deadbeef\n' },
    ['ok', ...LIMIT],
  ),
  call('20 pages, and one more', 'read_pages', { paths: Array(21).fill('Home') }, LIMIT),
  call('100,000 pages', 'read_pages', { paths: Array(100_000).fill('Home') }, LIMIT),
  call('one page 20 times', 'read_pages', { paths: Array(20).fill('Home') }, ['ok']),
  call('no pages', 'read_pages', { paths: [] }, LIMIT),
  call('a limit of -1', 'list_pages', { limit: -1 }, LIMIT),
  call('a limit of 2^53', 'list_pages', { limit: 2 ** 53 }, LIMIT),
  call('a limit of half', 'list_pages', { limit: 0.5 }, LIMIT),
  call('a line of 2^53', 'read_page', { path: 'Home', start_line: 2 ** 53 - 1 }, ['ok', ...LIMIT]),
  call('a character of 2^53', 'read_page', { path: 'Home', start_char: 2 ** 53 - 1 }, ['ok', ...LIMIT]),
  call('a blame from line 2^53', 'blame_page', { path: 'Home', start_line: 2 ** 53 - 1 }, ['ok', ...LIMIT]),
  call(
    'a blame of the most lines, none as they were',
    'blame_page',
    async (round, { whole }) => {
      const path = `sizes/blamed-${round}`;
      for (const mark of ['a', 'b', 'c', 'd']) {
        const content = Array.from({ length: 40_000 }, (_, at) => `${mark}${at}\n`).join('');
        const { version } = (await callTool(whole, 'read_page', { path })).content;
        await callTool(whole, 'write_page', { path, content, version });
      }
      return { path };
    },
    ['ok'],
  ),
  call('a cursor of 2,001 letters', 'list_pages', { cursor: 'c'.repeat(2_001) }, LIMIT),
  call(
    'a cursor that nobody gave',
    'list_pages',
    { cursor: Buffer.from('{"offset":-1}').toString('base64url') },
    LIMIT,
  ),
  call(
    'a cursor of a prototype',
    'list_pages',
    { cursor: Buffer.from('{"__proto__":{"a":1}}').toString('base64url') },
    LIMIT,
  ),
  call('a prefix of a megabyte', 'list_pages', { prefix: 'p'.repeat(1_000_000) }, ['ok', ...LIMIT]),
  call('a tag of a megabyte', 'list_pages', { tag: '#'.repeat(1_000_000) }, ['ok', ...LIMIT]),
  call('a query of 1,001 letters', 'search_pages', { query: 'q'.repeat(1_001) }, LIMIT),
  call('a heading of a megabyte', 'read_page', { path: 'Home', heading: '/'.repeat(1_000_000) }, [
    'no_match',
    ...LIMIT,
  ]),
  call('an author of a megabyte', 'get_history', { author: 'a'.repeat(1_000_000) }, ['ok', ...LIMIT]),
  call('a commit of 41 digits', 'read_page', { path: 'Home', at: 'a'.repeat(41) }, LIMIT),
  call('a commit that is an option', 'diff_page', { path: 'Home', from: '--output=/tmp/x' }, LIMIT),
  call('a commit that is a branch', 'diff_page', { path: 'Home', from: 'HEAD' }, LIMIT),
  call('a date that is none', 'list_pages', { updated_since: '9'.repeat(100_000) }, LIMIT),
  call(
    'a request id of a megabyte',
    'append_to_page',
    { path: 'sizes/m', content: 'x', request_id: 'r'.repeat(1_000_000) },
    LIMIT,
  ),
  call(
    'a request id of the wiki itself',
    'append_to_page',
    { path: 'sizes/m', content: 'x', request_id: 'external-commit-1' },
    LIMIT,
  ),
  call(
    'a request id that is a path',
    'append_to_page',
    { path: 'sizes/m', content: 'x', request_id: '../../evil' },
    ['ok', ...LIMIT],
  ),
  call(
    'an attachment of 51 MB',
    'put_attachment',
    async (_, targets) => ({
      wiki: LARGE_FILES,
      path: 'large.bin',
      local_path: await file(targets, 'large.bin', 51_000_000),
    }),
    LIMIT,
  ),
  call(
    'an attachment of the most',
    'put_attachment',
    async (round, targets) => ({
      wiki: LARGE_FILES,
      path: `most-${round}.bin`,
      local_path: await file(targets, 'most.bin', 50_000_000),
    }),
    ['ok'],
  ),
  call(
    'an attachment of the most that takes long to compress',
    'put_attachment',
    async (round, targets) => {
      const local_path = await file(targets, 'slow.bin', 0, slowToCompress(50_000_000));
      return { wiki: LARGE_FILES, path: `slow-${round}.bin`, local_path };
    },
    ['ok'],
  ),
  call(
    'an attachment of the most that is saved',
    'get_attachment',
    async (round, targets) => {
      const local_path = await file(targets, 'got.bin', 50_000_000);
      await callTool(targets.whole, 'put_attachment', {
        wiki: LARGE_FILES,
        path: `got-${round}.bin`,
        local_path,
      });
      return { wiki: LARGE_FILES, path: `got-${round}.bin`, local_path: `saved-${round}.bin` };
    },
    ['ok'],
  ),
  call(
    'a folder of the most bytes',
    'import_wiki',
    async (round, targets) => {
      await mkdir(join(targets.files, round));
      for (const name of ['a.bin', 'b.bin'])
        await writeFile(join(targets.files, round, name), slowToCompress(50_000_000));
      return { wiki: `bytes-${round}`, local_path: round };
    },
    ['ok'],
  ),
  {
    name: 'five imports of 50 MB at once',
    on: 'whole',
    answers: ['ok'],
    async act(targets, round) {
      await mkdir(join(targets.files, round));
      await writeFile(join(targets.files, round, 'a.bin'), randomBytes(49_000_000));
      const wikis = Array.from({ length: 5 }, (_, at) => `at-once-${round}-${at}`);
      const answers = await Promise.all(
        wikis.map((wiki) => callTool(targets.whole, 'import_wiki', { wiki, local_path: round })),
      );
      return answers.find(({ code }) => code !== 'ok') ?? (answers[0] as Outcome);
    },
  },
  ...(['zip', 'folder', 'bundle'] as const).map((format) =>
    call(
      `an export of the most bytes as a ${format}`,
      'export_wiki',
      async (round, targets) => {
        const wiki = `export-${round}`;
        await callTool(targets.whole, 'create_wiki', { wiki });
        for (const path of ['a.bin', 'b.bin', 'c.bin']) {
          const content = Buffer.concat([randomBytes(29_900_000), slowToCompress(20_000_000)]);
          const local_path = await file(targets, 'exported.bin', 0, content);
          await callTool(targets.whole, 'put_attachment', { wiki, path, local_path });
        }
        return { wiki, format, local_path: `export-${round}` };
      },
      ['ok'],
    ),
  ),
  call(
    'an import of a file of 9 GB',
    'import_wiki',
    async (_, targets) => ({
      wiki: 'huge',
      local_path: await file(targets, 'huge.zip', 9_000_000_000, 'PK\x03\x04'),
    }),
    LIMIT,
  ),
  call(
    'an import of a bundle of 9 GB',
    'import_wiki',
    async (_, targets) => ({
      wiki: 'huge',
      local_path: await file(targets, 'huge.bundle', 9_000_000_000, '# v2 git bundle\n'),
    }),
    LIMIT,
  ),
];
