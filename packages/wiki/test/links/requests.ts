import { expect } from 'vitest';
import { WikiError } from '../../src/contract/errors.ts';
import type { CallInput, OperationName } from '../../src/contract/operations.ts';
import { zipOf } from '../operations/archives.ts';
import type { TestWiki } from '../operations/test-wiki.ts';
import { type Chunk, Plan, type Planned, pagesOf, versionOf } from './planned-changes.ts';
import type { BatchChange, Change } from './random-changes.ts';
import { type PageSpec, type Place, pathOf, textOf } from './random-vault.ts';
import { addressOf, fileOf, stateOf, type VaultState } from './vault-state.ts';

export interface Retarget {
  page: string;
  link: string;
  old_target: string | null;
  new_target: string | null;
}

/** A request and its answer. Paths are tree paths, except for those of the answer. */
export interface Effect {
  /** The new paths of pages, by their path before; null if they are gone. */
  went: ReadonlyMap<string, string | null>;
  /** Pages that went into others, both by their paths before, in the order of the merges. */
  merged: ReadonlyMap<string, string>;
  /** Pages, by their path after, whose content the request gave. */
  written: ReadonlySet<string>;
  /** Pages, by their path after, of which it changed a part, with how many links before that part stayed, and after. */
  changed: ReadonlyMap<string, { before: number; after: number }>;
  /** True if it rewrites links. */
  rewrites: boolean;
  /** The new path of a path that was empty. */
  placeOf(path: string): string;
  /** The parts of each page after a planned request, by its path. */
  chunks: ReadonlyMap<string, readonly Chunk[]> | null;
  /** The files before the earlier move that this one takes back: pages may get these bytes back. */
  earlier?: VaultState['files'];
  answer: Answer;
}

export interface Answer {
  retargeted?: Retarget[] | undefined;
  retargeted_total?: number | null | undefined;
  updated_pages?: string[];
  updated_total?: number;
  pages?: { path: string; previous_path?: string }[];
}

/** Asks the wiki for a change. Null: there was nothing to ask for. A string: the code of the refusal. */
export async function request(
  wiki: TestWiki,
  state: VaultState,
  change: Change,
): Promise<Effect | string | null> {
  try {
    return await ask(wiki, state, change);
  } catch (error) {
    if (error instanceof WikiError && REFUSALS.has(error.code)) return error.code;
    throw error;
  }
}

/**
 * The refusals that random requests meet: a taken path, a name that differs only in case, a page that changed
 * since.
 */
const REFUSALS = new Set([
  'already_exists',
  'invalid_path',
  'version_conflict',
  'not_found',
  'no_match',
  'ambiguous_match',
]);

async function ask(wiki: TestWiki, state: VaultState, change: Change): Promise<Effect | null> {
  const page =
    'page' in change ? pagesOf(state)[change.page % Math.max(1, pagesOf(state).length)] : undefined;
  switch (change.op) {
    case 'edit':
      return page === undefined ? null : edit(wiki, state, page, change.line(addressOf(page)));
    case 'frontmatter': {
      if (page === undefined) return null;
      const input = { path: addressOf(page), set: { aliases: change.aliases } };
      const answer = await run(wiki, 'update_frontmatter', input);
      return { ...written(answer, state, []), changed: new Map([[page, { before: ALL, after: 0 }]]) };
    }
    case 'restore':
      return restore(wiki, state, change);
    case 'revert':
      return revert(wiki, state, change.commit);
    case 'put file': {
      const path = pathOf(change.place);
      if (state.files.has(path)) return null;
      const content = Buffer.from(`file ${path} ${state.files.size}`).toString('base64');
      return written(await run(wiki, 'put_attachment', { path, content }), state, []);
    }
    case 'delete file': {
      const files = state.paths.filter((path) => !path.endsWith('.md')).toSorted();
      const path = files[change.file % Math.max(1, files.length)];
      if (path === undefined) return null;
      const input = { path, version: versionOf(state, path) };
      return written(await run(wiki, 'delete_attachment', input), state, []);
    }
    case 'import':
      return importPages(wiki, state, change.pages);
    case 'batch':
      return batch(wiki, state, change.changes);
    default:
      return single(wiki, state, change);
  }
}

const ALL = Number.POSITIVE_INFINITY;

const OPERATIONS: Record<string, OperationName> = {
  write: 'write_page',
  append: 'append_to_page',
  section: 'edit_section',
  move: 'move_page',
  delete: 'delete_page',
};

/** The page that the newest commit moved, by a request of its own: another one may move it back. */
const lastMoves = new WeakMap<
  TestWiki,
  { from: string; to: string; files: VaultState['files']; head: string }
>();

async function single(wiki: TestWiki, state: VaultState, change: BatchChange): Promise<Effect | null> {
  const plan = new Plan(state);
  const last = lastMoves.get(wiki);
  const mayGoBack = change.op === 'move' && change.page % 3 === 0;
  const back = mayGoBack && last ? plan.back(last) : null;
  const planned = back ?? plan.add(change);
  if (planned === null) return null;
  const operation = OPERATIONS[planned.op];
  if (operation === undefined) return commit(wiki, plan, [planned]);
  const { op, position, ...rest } = planned;
  const input = position === undefined ? rest : { ...rest, operation: position };
  const answer = op === 'move' ? await rehearsed(wiki, operation, input) : await run(wiki, operation, input);
  if (planned.op === 'move') {
    const [from, to] = [fileOf(`${planned.path}`), fileOf(`${planned.new_path}`)];
    lastMoves.set(wiki, { from, to, files: state.files, head: await wiki.git('rev-parse', 'HEAD') });
  }
  // If something was written in between, the move back may restore nothing.
  const isNewest = back !== null && last?.head === (await wiki.git('rev-parse', 'HEAD^'));
  return { ...effectOf(plan, answer), ...(isNewest && last && { earlier: last.files }) };
}

async function batch(
  wiki: TestWiki,
  state: VaultState,
  changes: readonly BatchChange[],
): Promise<Effect | null> {
  const plan = new Plan(state);
  const planned = changes.map((change) => plan.add(change)).filter((change) => change !== null);
  return planned.length === 0 ? null : commit(wiki, plan, planned);
}

async function commit(wiki: TestWiki, plan: Plan, changes: readonly Planned[]): Promise<Effect> {
  return effectOf(plan, await rehearsed(wiki, 'commit_changes', { message: 'at random', changes }));
}

/** Asks for a dry run first, which must say the same. */
async function rehearsed(wiki: TestWiki, operation: OperationName, input: object): Promise<Answer> {
  const dry = await run(wiki, operation, { ...input, dry_run: true });
  const answer = await run(wiki, operation, input);
  const said = ({ retargeted, updated_pages, pages }: Answer) => ({ retargeted, updated_pages, pages });
  expect(said(dry), 'the dry run').toEqual(said(answer));
  return answer;
}

function effectOf(plan: Plan, answer: Answer): Effect {
  const { went, merged, written, rewrites } = plan;
  const changed = new Map([...plan.extended].map((path) => [path, { before: ALL, after: 0 }]));
  const placeOf = (path: string) => plan.placeOf(path);
  return { went, merged, written, changed, rewrites, placeOf, chunks: plan.chunks, answer };
}

async function edit(wiki: TestWiki, state: VaultState, page: string, line: string): Promise<Effect | null> {
  const lines = `${state.files.get(page)}`.split('\n');
  const old = lines.find(
    (text) => text.startsWith('See ') && lines.filter((other) => other.includes(text)).length === 1,
  );
  if (old === undefined) return null;
  const edits = [{ old_string: old, new_string: line }];
  const answer = await run(wiki, 'edit_page', { path: addressOf(page), edits });
  const at = `${state.files.get(page)}`.indexOf(old);
  const links = state.links.get(page) ?? [];
  const before = links.filter(({ start }) => start < at).length;
  const after = links.filter(({ start }) => start > at + old.length).length;
  return { ...written(answer, state, []), changed: new Map([[page, { before, after }]]) };
}

async function restore(
  wiki: TestWiki,
  state: VaultState,
  { page, commit }: { page: number; commit: number },
): Promise<Effect | null> {
  const { entries } = await wiki.run('get_history', { limit: 200 });
  const entry = entries[commit % Math.max(1, entries.length)];
  const there = entry?.pages.filter(({ action }) => action !== 'deleted') ?? [];
  const path = there[page % Math.max(1, there.length)]?.path;
  if (entry === undefined || path === undefined) return null;
  const answer = await run(wiki, 'restore_page', { path, commit: entry.commit });
  return written(answer, state, [fileOf(path)]);
}

async function revert(wiki: TestWiki, state: VaultState, number: number): Promise<Effect | null> {
  const { entries } = await wiki.run('get_history', { limit: 200 });
  const entry = entries[number % Math.max(1, entries.length)];
  if (entry === undefined || number >= entries.length - 1) return null;
  const output = await wiki.run('revert_commit', { commit: entry.commit });
  const files = output.pages.map(({ path }) => fileOf(path));
  return { ...written(output, state, files), went: movesBack(state, await stateOf(wiki)) };
}

/** The new path of each page after an undo: content that left one path for one other. */
function movesBack(state: VaultState, after: VaultState): Map<string, string | null> {
  const paths = [...new Set([...state.paths, ...after.paths])];
  const changed = paths.filter((path) => `${state.files.get(path)}` !== `${after.files.get(path)}`);
  const went = new Map<string, string | null>(pagesOf(state).map((path) => [path, path]));
  const withText = ({ files }: VaultState, text: string) =>
    changed.filter((path) => files.has(path) && `${files.get(path)}` === text);
  for (const path of changed) {
    const text = `${state.files.get(path)}`;
    const [from, ...others] = withText(state, text);
    const [to, ...more] = withText(after, text);
    if (from === path && to !== undefined && others.length + more.length === 0) went.set(path, to);
  }
  for (const path of changed) {
    const isTaken = [...went].some(([from, to]) => to === path && from !== path);
    if (isTaken && went.get(path) === path) went.set(path, null);
  }
  return went;
}

async function importPages(
  wiki: TestWiki,
  state: VaultState,
  pages: readonly (readonly [Place, PageSpec])[],
): Promise<Effect | null> {
  const files = Object.fromEntries(
    pages.map(([place, content]) => [`${pathOf(place)}.md`, textOf(content, pathOf(place))]),
  );
  const answer = await run(wiki, 'import_wiki', { content: await zipOf(files), replace: true });
  return written(answer, state, Object.keys(files));
}

/** The effect of a request that moves nothing. */
function written(answer: Answer, state: VaultState, pages: readonly string[]): Effect {
  const went = new Map(pagesOf(state).map((path) => [path, path]));
  return {
    went,
    merged: new Map(),
    written: new Set(pages),
    changed: new Map(),
    rewrites: false,
    placeOf: (path) => path,
    chunks: null,
    answer,
  };
}

async function run(wiki: TestWiki, operation: OperationName, input: object): Promise<Answer> {
  return (await wiki.run(operation, input as CallInput<OperationName>)) as Answer;
}
