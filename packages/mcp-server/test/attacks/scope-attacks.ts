import { expect } from 'vitest';
import type { SdkClient } from '../sdk-client.ts';
import { type Attack, call, type Outcome, shown } from './attack.ts';

/** Occurs in pages, names, messages and files outside of the scope, and nowhere else. */
const SECRET = /zebrasecret/i;

/** A wiki of which the limited server sees a part. */
export async function prepareScope(whole: SdkClient): Promise<void> {
  for (const wiki of ['main', 'other']) {
    await whole.ok('append_to_page', {
      wiki,
      path: 'notes/Fine',
      content: '# Fine\nSee [[secret/Zebrasecret]].\n',
    });
  }
  await whole.ok('write_page', {
    path: 'secret/Zebrasecret',
    content: '# Zebrasecret\n#zebrasecret-tag [[notes/Fine]]\n',
  });
  await whole.ok('write_page', { path: 'notesX/Zebrasecret', content: 'zebrasecret beside it\n' });
  await whole.ok('write_page', { path: 'notes', content: 'zebrasecret of the same name\n' });
  await whole.ok('write_page', {
    path: 'secret/Moved',
    content: 'zebrasecret before it moved\n',
    message: 'zebrasecret',
  });
  await whole.ok('move_page', { path: 'secret/Moved', new_path: 'notes/Moved' });
  await whole.ok('edit_page', {
    path: 'notes/Moved',
    edits: [{ old_string: 'zebrasecret', new_string: 'nothing' }],
  });
}

/** The page that links there names it itself; no other answer may. */
function keepsSecret({ text }: Outcome): void {
  expect(text.replaceAll('secret/Zebrasecret', '')).not.toMatch(SECRET);
}

/** The caller named it itself. */
function keepsRest(name: string) {
  return ({ text }: Outcome) =>
    expect(text.replaceAll(name, '').replaceAll('secret/Zebrasecret', '')).not.toMatch(SECRET);
}

const OUTSIDE = [
  ...[
    'secret/Zebrasecret',
    'notesX/Zebrasecret',
    'notes',
    'Home',
    'notes/../secret/Zebrasecret',
    'notes//../Home',
  ],
  ...[
    'notes/./../Home',
    'NOTES/../Home',
    'notes\\..\\Home',
    'notes/\u200b../Home',
    '/notes/../Home',
    'notes\0/../Home',
  ],
];
const NOT = ['forbidden', 'not_found', 'invalid_path', 'invalid_input'];
const version = 'a'.repeat(40);

const limited = (
  name: string,
  tool: string,
  args: Record<string, unknown>,
  answers: readonly string[],
  proof = keepsSecret,
) => call(name, tool, args, answers, proof, 'limited');

export const scopeAttacks: Attack[] = [
  ...OUTSIDE.flatMap((path) => [
    limited(`read_page ${shown(path)}`, 'read_page', { path }, NOT, keepsRest(path)),
    limited(`write_page ${shown(path)}`, 'write_page', { path, content: 'x' }, NOT, keepsRest(path)),
  ]),
  ...OUTSIDE.slice(0, 5).flatMap((path) => [
    limited(`append_to_page ${shown(path)}`, 'append_to_page', { path, content: 'x' }, NOT, keepsRest(path)),
    limited(
      `move to ${shown(path)}`,
      'move_page',
      { path: 'notes/Fine', new_path: path },
      NOT,
      keepsRest(path),
    ),
    limited(
      `dry move to ${shown(path)}`,
      'move_page',
      { path: 'notes/Fine', new_path: path, dry_run: true },
      NOT,
      keepsRest(path),
    ),
    limited(`move from ${shown(path)}`, 'move_page', { path, new_path: 'notes/New' }, NOT, keepsRest(path)),
    limited(`delete ${shown(path)}`, 'delete_page', { path, version }, NOT, keepsRest(path)),
    limited(`get_attachment ${shown(path)}`, 'get_attachment', { path: `${path}.md` }, NOT, keepsRest(path)),
    limited(`history of ${shown(path)}`, 'get_history', { path }, ['ok', ...NOT], keepsRest(path)),
    limited(`links of ${shown(path)}`, 'get_links', { path }, ['ok', ...NOT], keepsRest(path)),
  ]),
  limited(
    'a batch with one outside',
    'commit_changes',
    {
      message: 'm',
      changes: [
        { op: 'append', path: 'notes/New', content: 'x' },
        { op: 'append', path: 'Home', content: 'x' },
      ],
    },
    ['forbidden'],
  ),
  limited(
    'a dry batch with one outside',
    'commit_changes',
    { message: 'm', dry_run: true, changes: [{ op: 'append', path: 'Home', content: 'x' }] },
    ['forbidden'],
  ),
  limited(
    'a batch that moves out',
    'commit_changes',
    { message: 'm', changes: [{ op: 'move', path: 'notes/Fine', new_path: 'Out' }] },
    ['forbidden'],
  ),
  limited(
    'a batch that merges into what is outside',
    'commit_changes',
    { message: 'm', changes: [{ op: 'merge', path: 'notes/Fine', new_path: 'Home' }] },
    ['forbidden'],
  ),
  limited('moving the whole folder', 'move_page', { path: 'notes/', new_path: 'out/' }, ['forbidden']),
  limited(
    'moving the folder of others here',
    'move_page',
    { path: 'secret/', new_path: 'notes/stolen/' },
    NOT,
  ),
  limited('all pages', 'list_pages', {}, ['ok']),
  limited('pages below a prefix outside', 'list_pages', { prefix: 'secret/' }, ['ok']),
  limited('pages of a tag outside', 'list_pages', { tag: 'tag-of-zebra' }, ['ok']),
  limited('words outside', 'search_pages', { query: 'beside it before' }, ['ok']),
  limited('any line', 'search_pages', { query: '.*', mode: 'regex' }, ['ok']),
  limited('the whole history', 'get_history', {}, ['ok']),
  limited('the history of a page that came here', 'get_history', { path: 'notes/Moved' }, ['ok']),
  limited('the first commit of it', 'read_page', { path: 'notes/Moved', at: '0000' }, [
    'not_found',
    'invalid_input',
    'ambiguous_match',
  ]),
  limited('what needs care', 'check_wiki', {}, ['ok']),
  limited('all attachments', 'list_attachments', {}, ['ok']),
  limited('several pages with one outside', 'read_pages', { paths: ['notes/Fine', 'Home', 'notesX/None'] }, [
    'ok',
  ]),
  limited('the state of the wiki', 'wiki_status', {}, ['ok']),
  limited('tidying', 'maintain_wiki', {}, ['forbidden']),
  limited('a check of the storage', 'maintain_wiki', { mode: 'check' }, ['forbidden']),
  limited('a repair', 'maintain_wiki', { mode: 'repair' }, ['forbidden']),
  limited('tidying everything', 'maintain_wiki', { all: true }, ['forbidden']),
  limited('a new wiki', 'create_wiki', { wiki: 'escaped' }, ['forbidden']),
  limited('an import', 'import_wiki', { local_path: '/etc' }, ['forbidden', 'invalid_input']),
  limited('an export', 'export_wiki', { local_path: '/tmp/out' }, ['forbidden', 'invalid_input']),
  limited('a bundle', 'export_wiki', { format: 'bundle', local_path: '/tmp/out' }, [
    'forbidden',
    'invalid_input',
  ]),
  {
    name: 'undoing each commit of the wiki',
    on: 'limited',
    answers: ['forbidden', 'not_found', 'version_conflict'],
    async act({ whole, limited: server }) {
      const { entries } = (await whole.ok('get_history', { limit: 200 })) as {
        entries: { commit: string; pages: { path: string }[] }[];
      };
      const outside = entries.find(({ pages }) => pages.some(({ path }) => path.startsWith('secret/')));
      const result = await server.call('revert_commit', { commit: outside?.commit ?? '', dry_run: true });
      const [first] = result.content;
      const text = first?.type === 'text' ? first.text : '';
      keepsSecret({ code: '', text, content: {} });
      return { code: /^([a-z_]+): /.exec(text)?.[1] ?? 'ok', text, content: {} };
    },
  },
];
