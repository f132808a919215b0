import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { OperationName } from '../../src/contract/operations.ts';
import { temporaryDirectory } from '../native-git.ts';
import { inProcess } from './local-backends.ts';
import { openTestWiki, type TestWiki } from './test-wiki.ts';

const BOM = '\ufeff';
const PAGE = `${BOM}# One\n\nSee [[Old]] and the oven.\n\n# Two\n\nA text.\n`;

/** A wiki with an executable page that begins with a byte order mark. */
async function openWiki() {
  const files = { 'P.md': PAGE, 'Old.md': '# Old\n', 'Oven.md': '# Oven\n', 'Other.md': 'Other.\n' };
  const wiki = await openTestWiki(inProcess, files);
  await wiki.git('read-tree', 'main');
  const blob = (await wiki.git('rev-parse', 'main:P.md')).trim();
  await wiki.git('update-index', '--cacheinfo', `100755,${blob},P.md`);
  await commitIndex(wiki);
  return wiki;
}

test.each<[OperationName, Record<string, unknown>, text: RegExp, path?: string]>([
  ['append_to_page', { path: 'P', content: 'More.' }, /More\.$/],
  ['edit_page', { path: 'P', edits: [{ old_string: 'A text', new_string: 'Another text' }] }, /Another text/],
  ['edit_section', { path: 'P', heading: 'Two', operation: 'append', content: 'Added.' }, /Added\.$/],
  ['update_frontmatter', { path: 'P', set: { key: 'value' } }, /^.---\nkey: value\n/],
  ['fix_link', { path: 'P', line: 3, target: 'Old', to: 'Oven' }, /\[\[Oven/],
  ['fix_link', { path: 'P', line: 3, target: 'oven', mention: true, to: 'Oven' }, /the \[\[Oven/],
  ['move_page', { path: 'Old', new_path: 'New' }, /\[\[New\]\]/],
  ['move_page', { path: 'P', new_path: 'In/Q' }, /A text/, 'In/Q'],
  ['delete_page', { path: 'Old', links_to: 'Oven' }, /\[\[Oven/],
  [
    'commit_changes',
    { message: 'Both', changes: [{ op: 'append', path: 'P', content: 'More.' }] },
    /More\.$/,
  ],
  [
    'commit_changes',
    { message: 'Merge', changes: [{ op: 'merge', path: 'Other', new_path: 'P' }] },
    /Other\.$/,
  ],
])(
  '%s of %j keeps the byte order mark and the mode of a page that it changes',
  async (name, input, text, path = 'P') => {
    const wiki = await openWiki();
    const needsVersion = name === 'fix_link' || name === 'delete_page';
    const version = needsVersion
      ? (await wiki.run('read_page', { path: `${input.path}` })).version
      : undefined;
    await wiki.run(name, { ...input, ...(version && { version }) } as never);
    const content = await wiki.git('show', `main:${path}.md`);
    expect(content.startsWith(BOM)).toBe(true);
    expect(content.lastIndexOf(BOM)).toBe(0);
    expect(content.trimEnd()).toMatch(text);
    expect(await wiki.git('ls-tree', 'main', `${path}.md`)).toMatch(/^100755 /);
  },
);

test('a move and its way back keep the mode of a page', async () => {
  const wiki = await openWiki();
  const before = await wiki.git('ls-tree', '-r', 'main');
  await wiki.run('move_page', { path: 'P', new_path: 'In/Q' });
  await wiki.run('move_page', { path: 'In/Q', new_path: 'P' });
  expect(await wiki.git('ls-tree', '-r', 'main')).toBe(before);
});

test('a move back keeps a mode that changed in the commit of the move', async () => {
  const wiki = await openTestWiki(inProcess, { 'A.md': '# A\n', 'Link.md': 'See [[A]].\n' });
  const page = await wiki.git('rev-parse', 'main:A.md');
  const linking = join(temporaryDirectory(), 'Link.md');
  writeFileSync(linking, 'See [[B]].\n');
  const link = await wiki.git('hash-object', '-w', linking);
  await wiki.git('read-tree', '--empty');
  await wiki.git('update-index', '--add', '--cacheinfo', `100644,${page.trim()},B.md`);
  await wiki.git('update-index', '--add', '--cacheinfo', `100755,${link.trim()},Link.md`);
  await commitIndex(wiki);
  await wiki.run('move_page', { path: 'B', new_path: 'A' });
  expect(await wiki.git('ls-tree', 'main', 'Link.md')).toMatch(/^100755 /);
  expect(await wiki.git('show', 'main:Link.md')).toBe('See [[A]].');
});

async function commitIndex(wiki: TestWiki): Promise<void> {
  const tree = (await wiki.git('write-tree')).trim();
  const commit = (await wiki.git('commit-tree', '-p', 'main', '-m', 'By hand', tree)).trim();
  await wiki.git('update-ref', 'refs/heads/main', commit);
}
