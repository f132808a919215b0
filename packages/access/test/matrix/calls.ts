import type { OperationName } from '@pagetree/wiki/contract';
import { blobOid } from '../../../wiki/src/core/content-hash.ts';
import { SYNC_REPORT } from '../../../wiki/test/operations/sync-report.ts';
import type { Place } from './people.ts';
import { markOf, PAGE, textOf } from './worlds.ts';

/** The page that a call is about: one that is there, one that is deleted, one that never was, or a file. */
export const KINDS = ['page', 'file', 'gone', 'none'] as const;
export type Kind = (typeof KINDS)[number];

/** The names in a call, in one world. */
export interface Target {
  wiki: string;
  place: Place;
  /** A path as pages have it; for a file, with its extension. */
  path: string;
  treePath: string;
  version: string;
  /** A file beside the page. */
  file: string;
  fileVersion: string;
  /** The commit that wrote the page last. */
  commit: string;
  /** A commit that the person may know of, if there is one in the wiki: that some commit exists is no secret (ADR 7). */
  known: string;
  /** A number that no other cell has. */
  number: number;
  zip: string;
}

export interface Variant {
  name: OperationName;
  /** `any`: what is not about one wiki. */
  needs: 'read' | 'write' | 'administer' | 'any';
  input(target: Target): Record<string, unknown>;
  /** True if it may fail although it is allowed, for what it names. */
  mayFail?: true;
  /** Another place that it writes to. */
  to?: Place;
  /** True if it names what it is about by a commit, not by a path. */
  byCommit?: true;
  /** True if it concerns everything: then it needs the right in every place. */
  everywhere?: true;
  /** True if it concerns no place: then it needs the right in some place. */
  anywhere?: true;
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
const read = (
  name: OperationName,
  input: Variant['input'] = () => ({}),
  rest: Partial<Variant> = {},
): Variant => ({
  name,
  needs: 'read',
  input,
  ...rest,
});
const write = (name: OperationName, input: Variant['input'], rest: Partial<Variant> = {}): Variant => ({
  name,
  needs: 'write',
  input,
  ...rest,
});
const owner = (name: OperationName, input: Variant['input'], rest: Partial<Variant> = {}): Variant => ({
  name,
  needs: 'administer',
  input,
  ...rest,
});
const mayFail = true;
const byCommit = true;
const everywhere = true;

/** Every operation, in the ways that differ in what they show or need. */
export const VARIANTS: readonly Variant[] = [
  read('read_page', ({ path }) => ({ path })),
  read('read_page', ({ path, known }) => ({ path, at: known }), { mayFail }),
  read('read_page', ({ path }) => ({ path: `[[${path.split('/').at(-1)}]]` }), { mayFail }),
  read('read_page', ({ wiki, place }) => ({ path: `Alias of ${markOf(wiki, place)}` }), { mayFail }),
  read('read_page', ({ path }) => ({ path, mode: 'outline' })),
  read('read_pages', ({ path, place }) => ({ paths: [path, PAGE[place], 'Home', 'Private/Plan'] })),
  read('list_pages'),
  read('list_pages', ({ place }) => ({ prefix: place, sort: 'title' })),
  read('list_pages', ({ wiki, place }) => ({ tag: markOf(wiki, place), sort: 'updated' })),
  read('search_pages', () => ({ query: 'zebra' })),
  read('search_pages', ({ wiki, place }) => ({ query: markOf(wiki, place) })),
  read('search_pages', ({ wiki, place }) => ({ query: `${markOf(wiki, place)}|zebra`, mode: 'regex' })),
  read('search_pages', ({ place }) => ({ query: 'zebra state', mode: 'passages', prefix: place })),
  read('get_history'),
  read('get_history', ({ path }) => ({ path }), { mayFail }),
  read('get_history', ({ wiki, place }) => ({ author: markOf(wiki, place) })),
  read('show_changes', () => ({ since: '2020' })),
  read('show_changes', ({ commit }) => ({ commit }), { mayFail }),
  read('diff_page', ({ path, known }) => ({ path, from: known }), { mayFail }),
  read('blame_page', ({ path }) => ({ path })),
  read('get_links', ({ path }) => ({ path })),
  read('check_wiki', () => ({ kinds: ['broken_link', 'orphan', 'ambiguous_link', 'near_copy'] })),
  read('list_attachments', ({ place }) => ({ prefix: place })),
  read('get_attachment', ({ file }) => ({ path: file })),
  read('wiki_status'),
  { name: 'list_wikis', needs: 'any', input: () => ({}) },
  read('export_wiki', () => ({ format: 'zip' })),
  read('view_page', ({ path }) => ({ path })),
  read('view_page', ({ path, known }) => ({ path, at: known }), { mayFail }),
  read(
    'preview_page',
    ({ path, wiki, place, version }) => ({
      path: path.endsWith('.png') ? PAGE[place] : path,
      content: `[[${path}]] [[Plan]] [[Alias of ${markOf(wiki, place)}]]`,
      base: version,
    }),
    { mayFail },
  ),
  read('view_conflict', ({ path }) => ({ path }), { mayFail }),
  read('view_commit', ({ commit }) => ({ commit }), { mayFail }),
  read('list_mentions', ({ path }) => ({ path }), { mayFail }),
  read('list_changed'),
  read('list_folder', ({ place }) => ({ folder: place.slice(0, -1) }), { mayFail }),
  read('list_folders'),
  read('list_tags'),
  read('view_graph'),
  read('view_graph', ({ path }) => ({ path, depth: 2 }), { mayFail }),
  read('list_files'),
  read('read_files', ({ treePath, version, file, fileVersion }) => ({
    files: [
      { path: treePath, version },
      { path: file, version: fileVersion },
    ],
  })),
  read('list_refs', () => ({}), { everywhere }),
  read('send_objects', ({ commit }) => ({ wants: [commit] }), { mayFail, everywhere }),
  read('send_objects', ({ version }) => ({ wants: [version] }), { mayFail, everywhere }),

  write('write_page', ({ place, number }) => ({ path: `${place}New ${number}`, content: 'new [[Plan]]\n' })),
  write('write_page', ({ path, version }) => ({
    path,
    version,
    content: 'other [[Near]]\n',
    allow_shrink: true,
  })),
  write('edit_page', ({ path }) => ({ path, edits: [{ old_string: 'zebra', new_string: 'lion' }] })),
  write('edit_page', ({ path }) => ({
    path,
    edits: [{ old_string: 'zebra', new_string: 'lion' }],
    dry_run: true,
  })),
  write('append_to_page', ({ path }) => ({ path, content: 'more' })),
  write('edit_section', ({ path }) => ({ path, heading: 'Links', operation: 'append', content: 'more' })),
  write('update_frontmatter', ({ path }) => ({ path, set: { state: 'new' } })),
  write('move_page', ({ path, place, number }) => ({ path, new_path: `${place}Moved ${number}` })),
  write('move_page', ({ path, place, number }) => ({
    path,
    new_path: `${place}Moved ${number}`,
    dry_run: true,
  })),
  write('move_page', ({ path, number }) => ({ path, new_path: `Guides/Moved ${number}` }), {
    mayFail,
    to: 'Guides/',
  }),
  write('delete_page', ({ path, version }) => ({ path, version })),
  write('commit_changes', ({ path, place, number }) => ({
    message: 'Several',
    changes: [
      { op: 'append', path, content: 'z' },
      { op: 'write', path: `${place}Batch ${number}`, content: 'z' },
    ],
  })),
  write('restore_page', ({ path, commit, version }) => ({ path, commit, version }), { mayFail }),
  write('revert_commit', ({ commit }) => ({ commit }), { byCommit }),
  write('undo_changes', ({ commit }) => ({ commit }), { byCommit }),
  write('undo_changes', ({ commit }) => ({ commit, dry_run: true }), { byCommit }),
  write('put_attachment', ({ place, number }) => ({
    path: `${place}put ${number}.png`,
    content: base64('new'),
  })),
  write('delete_attachment', ({ file, fileVersion }) => ({ path: file, version: fileVersion })),
  write('import_wiki', ({ place, zip }) => ({ content: zip, prefix: place })),
  write('import_wiki', ({ place, zip }) => ({ content: zip, prefix: place, dry_run: true })),
  write(
    'fix_link',
    ({ path, version, place }) => ({
      path,
      version,
      line: 11,
      target: 'Gone',
      to: PAGE[place],
    }),
    { mayFail },
  ),
  write('commit_files', ({ treePath, version }) => ({
    files: [{ path: treePath, version, size: 3 }],
    content: base64('abc'),
  })),
  write('receive_push', () => ({ from: 'd'.repeat(40), to: 'e'.repeat(40) }), { mayFail, everywhere }),
  write('merge_commits', () => ({ commit: 'e'.repeat(40), source: 'x' }), { mayFail, everywhere }),
  write('sync_wiki', () => ({}), { mayFail, everywhere }),
  write('upload_part', () => ({ upload: 'd'.repeat(32), total: 3, content: base64('abc') }), {
    anywhere: true,
  }),

  owner('maintain_wiki', () => ({ mode: 'tidy' })),
  owner('maintain_wiki', () => ({ mode: 'check' })),
  owner('maintain_wiki', () => ({ mode: 'repair' }), { mayFail }),
  owner('export_wiki', () => ({ format: 'bundle' })),
  owner('import_wiki', () => ({ content: base64('# v2 git bundle\n'), dry_run: true }), { mayFail }),
  owner('get_remote', () => ({})),
  owner('set_remote', () => ({ remote: null })),
  owner('report_sync', () => ({ url: 'https://example.org/x.git', report: SYNC_REPORT })),
  { name: 'maintain_wiki', needs: 'any', input: () => ({ all: true }) },
  { name: 'list_remotes', needs: 'any', input: () => ({}) },
  { name: 'create_wiki', needs: 'any', input: ({ number }) => ({ wiki: `brand-new-${number}` }) },
];

/** The pages and files of the beginning. */
export function targetAtFirst(
  { wiki, place, kind, number, zip }: Pick<Target, 'wiki' | 'place' | 'number' | 'zip'> & { kind: Kind },
  commits: Pick<Target, 'commit' | 'known'>,
): Target {
  const mark = markOf(wiki, place);
  const file = `${place}own.png`;
  const path = { page: PAGE[place], file, gone: `${place}Gone`, none: `${place}None` }[kind];
  const texts = {
    page: textOf(place, mark, 'second'),
    file: `image ${mark}`,
    gone: `Gone ${mark}.\n`,
    none: '',
  };
  const text = texts[kind];
  return {
    wiki,
    place,
    path,
    treePath: kind === 'file' ? path : `${path}.md`,
    version: blobOid(Buffer.from(text)),
    file,
    fileVersion: blobOid(Buffer.from(`image ${mark}`)),
    ...commits,
    number,
    zip,
  };
}
