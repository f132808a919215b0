import fc from 'fast-check';
import type { OperationName } from '../../../../src/contract/operations.ts';
import { treePathOf } from '../../../../src/core/paths/page-path.ts';
import type { Question } from './comparison.ts';
import { folders, places } from './random-pages.ts';
import { at, type State } from './wiki-state.ts';

/** What is asked after some steps, whatever they did. */
export const always: readonly Question[] = [
  { name: 'list_pages', input: { sort: 'path' } },
  { name: 'list_pages', input: { sort: 'title', limit: 2 } },
  { name: 'list_pages', input: { sort: 'updated', prefix: 'in/' } },
  { name: 'list_pages', input: { prefix: 'in/.hidden' } },
  { name: 'list_pages', input: { tag: 'red' } },
  { name: 'list_pages', input: { property: 'aliases: Alias' } },
  { name: 'list_changed', input: {} },
  { name: 'list_files', input: {} },
  { name: 'list_folder', input: {} },
  { name: 'list_folder', input: { folder: 'also' } },
  { name: 'list_folder', input: { folder: 'in' } },
  { name: 'list_folder', input: { folder: 'É' } },
  { name: 'list_tags', input: {} },
  { name: 'view_graph', input: {} },
  { name: 'list_attachments', input: {} },
  { name: 'list_attachments', input: { prefix: 'in/', limit: 1 } },
  { name: 'list_wikis', input: {} },
  { name: 'get_history', input: {} },
  { name: 'get_history', input: { limit: 2 } },
  { name: 'get_history', input: { author: 'native' } },
  { name: 'get_history', input: { agent: 'test' } },
  { name: 'get_history', input: { until: '2024-01-01' } },
  { name: 'check_wiki', input: {} },
  { name: 'check_wiki', input: { kinds: ['stale', 'orphan'], prefix: 'in/', limit: 3 } },
  { name: 'export_wiki', input: { format: 'zip' } },
  { name: 'wiki_status', input: {} },
  { name: 'list_folders', input: {} },
  { name: 'list_folders', input: { folder: 'in', depth: 1 } },
  { name: 'show_changes', input: { since: '2000' } },
  { name: 'search_pages', input: { query: 'apple' } },
  { name: 'search_pages', input: { query: 'line plum page', limit: 2 } },
  { name: 'upload_part', input: { upload: '3'.repeat(32), total: 3, content: btoa('tea') } },
];

const one = fc.nat(1_000_000);
const nothing = fc.constant(null);
const sometimes = fc.oneof(nothing, one);
const shape = fc.record({
  kind: fc.constantFrom<OperationName[]>(
    'read_page',
    'read_page',
    'get_history',
    'get_history',
    'blame_page',
    'diff_page',
    'get_links',
    'view_page',
    'get_attachment',
    'search_pages',
    'read_pages',
    'list_folder',
    'export_wiki',
    'list_folders',
    'list_mentions',
    'preview_page',
    'read_files',
    'view_commit',
    'view_conflict',
    'show_changes',
    'undo_changes',
  ),
  /** Mostly a page that is there; sometimes one that may never have been. */
  page: one,
  place: fc.oneof({ weight: 3, arbitrary: nothing }, { weight: 1, arbitrary: places }),
  other: one,
  at: sometimes,
  from: one,
  folder: folders,
  written: fc.constantFrom(
    '[[Alias]]',
    '[[Tea#Prt]]',
    'Zebr',
    '[x](../out/Tea.md)',
    'Plan.png',
    '[[Tae]]',
    'in',
  ),
  query: fc.constantFrom('aple', 'text', 'red', 'plum tart', '"plum tart"', 'pear*', 'zebra', 'alias'),
  mode: fc.constantFrom('words', 'passages', 'regex'),
});

export type Asked = typeof shape extends fc.Arbitrary<infer Value> ? Value : never;
export const asked: fc.Arbitrary<Asked> = shape;

/** The question about the wiki as it is, or as it was. */
export function questionAbout(state: State, { kind, ...asked }: Asked): Question {
  const path = asked.place ?? at(state.pages, asked.page)?.path ?? 'in/Tea';
  const commit = asked.at === null ? undefined : (at(state.commits, asked.at) ?? undefined);
  const from = at(state.commits, asked.from) ?? undefined;
  switch (kind) {
    case 'read_page':
      if (asked.other % 3 > 0) return { name: kind, input: { path, at: commit } };
      return { name: kind, input: { path: asked.written, from: path, at: commit } };
    case 'read_pages':
      return {
        name: kind,
        input: { paths: [path, at(state.pages, asked.other)?.path ?? 'out/Tea', 'Home'] },
      };
    case 'get_history': {
      const filters = [
        {},
        { author: 'Grace' },
        { limit: 1 },
        { author: 'native', limit: 2 },
        { agent: 'test' },
      ];
      return { name: kind, input: { path, ...at(filters, asked.other) } };
    }
    case 'diff_page':
      return { name: kind, input: { path, from, to: commit } };
    case 'get_links':
      return { name: kind, input: { path: asked.other % 4 > 0 ? path : fileAt(state, asked) } };
    case 'get_attachment':
      return { name: kind, input: { path: fileAt(state, asked), at: commit } };
    case 'search_pages': {
      const prefix = asked.other % 3 > 0 ? undefined : `${asked.folder}/`;
      return { name: kind, input: { query: asked.query, mode: asked.mode, prefix } };
    }
    case 'list_folder':
      return { name: kind, input: { folder: asked.folder, at: commit } };
    case 'list_folders':
      return { name: kind, input: { folder: asked.folder, depth: 1 + (asked.other % 3), at: commit } };
    case 'export_wiki':
      return { name: kind, input: { format: 'zip', at: commit } };
    case 'list_mentions':
    case 'view_conflict':
      return { name: kind, input: { path } };
    case 'preview_page': {
      const base = versionOf(state, treePathOf(path), asked.other);
      return {
        name: kind,
        input: { path, content: `# Preview\n\nSee ${asked.written} and [[Tea]].\n`, base },
      };
    }
    case 'read_files': {
      const file = treePathOf(path);
      const version = versionOf(state, file, asked.other) ?? at(state.past, asked.other)?.version;
      return { name: kind, input: { files: [{ path: file, version }] } };
    }
    case 'view_commit':
      return { name: kind, input: { commit: from } };
    case 'show_changes': {
      const prefix = asked.other % 3 > 0 ? undefined : `${asked.folder}/`;
      return { name: kind, input: { ...(asked.at === null ? { commit: from } : { since: from }), prefix } };
    }
    case 'undo_changes': {
      const whose = at([{ author: 'Grace' }, { agent: 'test/1.0' }, { author: 'native' }], asked.other);
      const input = asked.at === null ? { commit: from } : { ...whose, since: from };
      return { name: kind, input: { ...input, dry_run: true } };
    }
    default:
      return { name: kind, input: { path, at: commit } };
  }
}

function fileAt(state: State, { other, place }: Pick<Asked, 'other' | 'place'>): string {
  const files = state.files.map(({ path }) => path);
  return (place === null ? at(files, other) : `${place}.png`) ?? treePathOf('out/Tea');
}

/** A version that the file has or had, or one of another file. */
function versionOf(state: State, path: string, number: number): string | undefined {
  const past = state.past.filter((file) => number % 5 === 0 || file.path === path);
  return at(past, number)?.version;
}
