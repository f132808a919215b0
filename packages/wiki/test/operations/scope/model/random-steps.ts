import fc from 'fast-check';
import { type ErrorCode, WikiError } from '../../../../src/contract/errors.ts';
import { treePathOf } from '../../../../src/core/paths/page-path.ts';
import type { Question, ScopedWiki } from './model-wiki.ts';

/** Folders of the scope, some beside it, and some whose names begin like one of the scope or differ in case. */
export const SCOPES = [
  { read: ['in/'], write: ['in/'] },
  { read: ['in/', 'also/deep/'], write: ['in/', 'also/deep/'] },
  { read: ['in/', 'in/Deep/', 'also/deep/'], write: ['in/Deep/'] },
  { read: ['also/deep/', 'É/'], write: ['also/deep/', 'É/'] },
];
const INSIDE = ['in/', 'in/Deep/', 'also/deep/', 'É/'];
const OUTSIDE = ['out/', 'also/', '', 'input/', 'also/deeper/', 'out/in/'];
/** The characters after the first two come in another order by UTF-16 than by code points. */
const NAMES = ['Tea', 'Tea-room', 'Plan', 'Home', 'Zebra', 'ｆan', '😀'];

const name = fc.constantFrom(...NAMES);
const placeIn = (folders: readonly string[]) =>
  fc.record({ folder: fc.constantFrom(...folders), name }).map((place) => place.folder + place.name);
/** A page's path. */
export const places = fc.oneof(placeIn(INSIDE), placeIn(OUTSIDE));
export const folders = fc
  .constantFrom(...INSIDE, ...OUTSIDE, 'in/New/', 'out/New/')
  .map((folder) => folder.replace(/\/$/, ''));

const link = fc.oneof(
  name.map((to) => `[[${to}]]`),
  places.map((to) => `[[${to}]]`),
  places.map((to) => `[to](/${to}.md)`),
  name.map((to) => `[[${to}#Part]]`),
  name.map((to) => `![[${to}.png]]`),
  fc.constantFrom('[[Alias]]', '[[Other]]', '#red', '#blue/sky', '#redder'),
);
const line = fc
  .record({ links: fc.array(link, { maxLength: 4 }), words: fc.constantFrom('apple', 'pears', 'plum tart') })
  .map(({ links, words }) => `A text of ${words} with ${links.join(' and ')}.\n`);
/** Each text has lines of its own: a page that is like one elsewhere could have moved from either. */
const text = fc
  .record({
    id: fc.noShrink(fc.nat(1_000_000_000)),
    aliases: fc.option(fc.constantFrom('Alias', 'Other', 'Tea'), { nil: null, freq: 3 }),
    tag: fc.option(fc.constantFrom('red', 'green'), { nil: null, freq: 2 }),
    heading: fc.constantFrom('', '# Part\n', '# Same\n', '## Part\n\n## Part\n'),
    line,
  })
  .map(({ id, aliases, tag, heading, line }) => {
    const keys = [aliases && `aliases: [${aliases}]`, tag && `tags: [${tag}]`].filter((key) => key);
    const frontmatter = keys.length > 0 ? `---\n${keys.join('\n')}\n---\n` : '';
    const own = Array.from({ length: 12 }, (_, at) => `This is line ${at} of the page of number ${id}.\n`);
    return `${frontmatter}${heading}${line}\n${own.join('')}`;
  });

const chosen = fc.nat(1_000);
/** Numbers choose among what there is when the step's turn comes. */
const change = fc.oneof(
  fc.record({ op: fc.constant('write' as const), page: chosen, place: fc.option(places), content: text }),
  fc.record({ op: fc.constant('append' as const), page: chosen, content: line }),
  fc.record({ op: fc.constant('move' as const), page: chosen, new_path: places }),
  fc.record({ op: fc.constant('move folder' as const), page: chosen, to: folders }),
  fc.record({ op: fc.constant('merge' as const), page: chosen, into: chosen }),
  fc.record({ op: fc.constant('delete' as const), page: chosen }),
);
type BatchChange = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

const single = fc.oneof(
  fc.record({
    op: fc.constant('frontmatter' as const),
    page: chosen,
    alias: fc.constantFrom('Alias', 'Tea'),
  }),
  fc.record({ op: fc.constant('edit' as const), page: chosen, content: line }),
  fc.record({ op: fc.constant('put file' as const), place: places, content: chosen }),
  fc.record({ op: fc.constant('delete file' as const), page: chosen }),
  fc.record({ op: fc.constant('restore' as const), page: chosen, commit: chosen }),
  fc.record({ op: fc.constant('revert' as const), commit: fc.nat(3) }),
);
type Single = typeof single extends fc.Arbitrary<infer Value> ? Value : never;

/** The files that native git changes and pushes: null takes one away. `beside`: other writes came first. */
const push = fc.record({
  op: fc.constant('push' as const),
  beside: fc.boolean(),
  files: fc.array(
    fc.record({
      path: fc.oneof(
        places.map(treePathOf),
        placeIn(['É/'.normalize('NFD')]).map(treePathOf),
        fc.constantFrom('in/.hidden/Page.md', 'in/.gitmodules', 'out/.gitmodules', 'in/Deep/data.json'),
        fc.constantFrom('in/link', 'out/link', 'also/deep/link'),
      ),
      content: fc.option(text, { freq: 5 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

export type Step =
  | { by: 'scope' | 'everybody'; change: BatchChange | Single }
  | { by: 'scope' | 'everybody'; change: { op: 'batch'; changes: BatchChange[] } }
  | { by: 'git'; change: typeof push extends fc.Arbitrary<infer Value> ? Value : never };

const by = fc.constantFrom<('scope' | 'everybody')[]>('everybody', 'everybody', 'scope');
const batch = fc.record({
  op: fc.constant('batch' as const),
  changes: fc.array(change, { minLength: 2, maxLength: 3 }),
});
export const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ by, change }) },
  { weight: 4, arbitrary: fc.record({ by, change: single }) },
  { weight: 3, arbitrary: fc.record({ by, change: batch }) },
  { weight: 2, arbitrary: fc.record({ by: fc.constant('git' as const), change: push }) },
);

export const firstFiles = fc.dictionary(places.map(treePathOf), text, { minKeys: 2, maxKeys: 9 });
/**
 * Writes that the scoped wiki and its model take alike. Not moves: with a scope they leave attachments where they are,
 * and write links in full, since pages elsewhere may use the ones and have the names of the others.
 */
export const lastSteps = fc.oneof(
  fc.record({
    op: fc.constant('write' as const),
    page: chosen,
    place: fc.option(placeIn(INSIDE)),
    content: text,
  }),
  fc.record({ op: fc.constant('append' as const), page: chosen, content: line }),
  fc.record({ op: fc.constant('delete' as const), page: chosen }),
  single,
);

export type Last = typeof lastSteps extends fc.Arbitrary<infer Value> ? Value : never;

/** The wiki at the time of a step. */
export interface State {
  pages: { path: string; version: string }[];
  files: { path: string; version: string }[];
  /** Newest first. */
  commits: string[];
}

export async function stateOf(wiki: ScopedWiki): Promise<State> {
  const listed = (await wiki.git(['ls-tree', '-r', '-z', 'main'])).split('\0').filter(Boolean);
  const entries = listed.map((line) => {
    const [facts = '', path = ''] = line.split('\t');
    return { path, version: facts.split(' ')[2] ?? '' };
  });
  const isPage = ({ path }: { path: string }) => path.endsWith('.md');
  return {
    pages: entries.filter(isPage).map(({ path, version }) => ({ path: path.slice(0, -3), version })),
    files: entries.filter((entry) => !isPage(entry)),
    commits: (await wiki.git(['rev-list', 'main'])).split('\n'),
  };
}

/** Makes a step. A refusal is fine: a path may be taken, or lie outside of the scope. */
export async function make(wiki: ScopedWiki, step: Step): Promise<void> {
  const state = await stateOf(wiki);
  if (step.by === 'git') return pushFiles(wiki, state, step.change);
  const question = questionOf(state, step.change);
  if (question === null) return;
  await wiki.call(step.by, question).catch((error: unknown) => {
    if (!(error instanceof WikiError && REFUSALS.has(error.code))) throw error;
  });
}

const REFUSALS = new Set<ErrorCode>([
  'already_exists',
  'invalid_path',
  'invalid_input',
  'version_conflict',
  'not_found',
  'no_match',
  'ambiguous_match',
  'forbidden',
]);

/** The call of a step; null if there is nothing to change. */
export function questionOf(state: State, change: Exclude<Step, { by: 'git' }>['change']): Question | null {
  if (change.op === 'batch') {
    const changes = change.changes.flatMap((each) => batched(state, each) ?? []);
    return { name: 'commit_changes', input: { message: 'Several, by zebras', changes } };
  }
  const page = at(state.pages, 'page' in change ? change.page : 0);
  switch (change.op) {
    case 'put file':
      return {
        name: 'put_attachment',
        input: { path: `${change.place}.png`, content: btoa(`${change.content}`) },
      };
    case 'delete file': {
      const file = at(state.files, change.page);
      return file && { name: 'delete_attachment', input: file };
    }
    case 'revert':
      return { name: 'revert_commit', input: { commit: at(state.commits, change.commit) } };
    case 'restore':
      return (
        page && { name: 'restore_page', input: { path: page.path, commit: at(state.commits, change.commit) } }
      );
    case 'frontmatter':
      return (
        page && { name: 'update_frontmatter', input: { path: page.path, set: { aliases: [change.alias] } } }
      );
    case 'edit': {
      const edits = [{ old_string: 'This is line 3 of', new_string: `${change.content}This was line 3 of` }];
      return page && { name: 'edit_page', input: { path: page.path, edits } };
    }
    default: {
      const only = batched(state, change);
      if (only === null) return null;
      const { op, ...input } = only;
      if (op === 'merge') return { name: 'commit_changes', input: { message: 'Merge', changes: [only] } };
      return { name: OPERATIONS[op], input };
    }
  }
}

const OPERATIONS = {
  write: 'write_page',
  append: 'append_to_page',
  move: 'move_page',
  delete: 'delete_page',
} as const;

type Batched = { op: keyof typeof OPERATIONS | 'merge'; path: string } & Record<string, unknown>;

function batched(state: State, change: BatchChange): Batched | null {
  const page = at(state.pages, change.page);
  if (page === null) return null;
  const { path, version } = page;
  switch (change.op) {
    case 'write': {
      const place = change.place ?? path;
      const present = state.pages.find((each) => each.path === place);
      return { op: 'write', path: place, content: change.content, version: present?.version };
    }
    case 'append':
      return { op: 'append', path, content: change.content };
    case 'move':
      return { op: 'move', path, new_path: change.new_path };
    case 'move folder': {
      const folder = path.slice(0, path.lastIndexOf('/') + 1);
      if (folder === '' || change.to === '') return null;
      return { op: 'move', path: folder, new_path: `${change.to}/` };
    }
    case 'merge':
      return { op: 'merge', path, new_path: at(state.pages, change.into)?.path ?? path };
    case 'delete':
      return { op: 'delete', path, version };
  }
}

/** As a clone pushes: on the newest commit, or on the one before it, so that the wiki has to merge. */
async function pushFiles(
  wiki: ScopedWiki,
  { commits }: State,
  { files, beside }: Extract<Step, { by: 'git' }>['change'],
): Promise<void> {
  const [head = '', before = head] = commits;
  const parent = beside ? before : head;
  await wiki.git(['read-tree', parent]);
  const lines: string[] = [];
  for (const { path, content } of files) {
    const blob = content && (await wiki.git(['hash-object', '-w', '--stdin'], { input: content }));
    const mode = path.endsWith('link') ? '120000' : '100644';
    lines.push(blob === null ? `0 ${'0'.repeat(40)}\t${path}\0` : `${mode} ${blob}\t${path}\0`);
  }
  await wiki.git(['update-index', '-z', '--index-info'], { input: lines.join('') });
  const tree = await wiki.git(['write-tree']);
  const pushed = await wiki.git(['commit-tree', '-m', 'Pushed with zebras', '-p', parent, tree]);
  await wiki.git(['update-ref', 'refs/heads/main', pushed]);
  // Before the wiki is asked, it has not brought in what was pushed.
  await wiki.call('everybody', { name: 'list_folder', input: {} });
}

export function at<Item>(items: readonly Item[], number: number): Item | null {
  return items[number % Math.max(1, items.length)] ?? null;
}
