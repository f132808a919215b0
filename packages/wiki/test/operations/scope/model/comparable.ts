import type { OperationName } from '../../../../src/contract/operations.ts';
import type { Scope } from '../../../../src/contract/scope.ts';
import { filesOf } from '../../archives.ts';
import { liesIn } from './lies-in.ts';
import type { Rebuilt } from './model-repository.ts';

interface Context {
  /** When the two wikis were the same, in milliseconds. What they wrote since may have other dates. */
  sameAt: number;
  name: OperationName;
  input: Record<string, unknown>;
  scope: Scope;
  rebuilt: Rebuilt;
}

/** An answer without what differs by design between a wiki with a scope and its model. */
export async function comparable(
  context: Context,
  answer: unknown,
  modelled: (value: unknown) => unknown,
): Promise<unknown> {
  const { name } = context;
  const { content } = answer as { content?: string };
  // A zip has the date of the commit, which may be one that changed nothing in the scope.
  const files = name === 'export_wiki' && content ? named(await filesOf(content)) : undefined;
  return JSON.parse(JSON.stringify(blanked(name, answer)), (key, value: unknown) => {
    if (files !== undefined && value === content) return files;
    const field = FIELDS[name]?.[key] ?? FIELDS.all?.[key];
    // A problem of the setup names the wiki's directory.
    const shown =
      typeof value === 'string'
        ? undated(ofUndo(value).replaceAll(/\/(?:whole|model-\d+)\/test/g, '/test'), context.sameAt)
        : value;
    const met = modelled(shown);
    return field === undefined ? met : field(met as never, context, answer);
  });
}

/** The text without the dates of what was written since, and without the marks that nobody can guess. */
function undated(text: string, since: number): string {
  return text
    .replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, (date) => (Date.parse(date) < since ? date : 'since'))
    .replaceAll(/\[page text \w{12} begins\]|\[\w{12} ends\]/g, '[mark]');
}

/** The message of an undo. Only with a scope it says of a commit, whose message is kept back, that it undoes a part. */
function ofUndo(text: string): string {
  return text
    .replaceAll(/Revert "\(Kept back: [^"]*\)"/g, 'Undo a part of a commit')
    .replaceAll(/(?<=This reverts )a part of (?=commit [0-9a-f]{40}\.)/g, '')
    .replaceAll(/(?<=This reverts commit [0-9a-f]{40}) \(\(Kept back: [^)]*\)\)(?=\.)/g, '');
}

type Field = (value: never, context: Context, answer: unknown) => unknown;

/** What is compared of the fields of an answer that differ, by the operation. The whole answer has no name. */
const FIELDS: Partial<Record<OperationName | 'all', Record<string, Field>>> = {
  all: {
    // Pages elsewhere may link here, and the answer says that nobody looked. The model has no elsewhere.
    links_elsewhere: () => undefined,
    // Asked for by itself.
    leaves_out_files: () => undefined,
    // Words are weighed in another order, and sums differ in their last digit.
    score: (value: number) => Number(value.toPrecision(9)),
  },
  get_history: {
    // With a scope, a commit of what nobody may see is not looked at to find out in which folder that lies.
    entries: (entries: ListedCommit[], { rebuilt, scope }) =>
      entries
        .filter(({ commit }) => !rebuilt.hidden.has(commit))
        // A merge is shown with all that it brought to its first parent, since its message is kept back: that lies here.
        .map((each) =>
          rebuilt.merges.has(each.commit)
            ? {
                ...each,
                pages: elsewhere(each.pages, scope),
                pages_total: each.pages_total - each.pages.length,
              }
            : each,
        ),
  },
  view_commit: {
    before: (commit, { rebuilt }) => shownUpTo(rebuilt, commit),
    '': (value: ViewedCommit, { rebuilt, scope, input }) => {
      if (rebuilt.merges.has(value.commit))
        return { ...value, changes: elsewhere(value.changes, scope), total: notListed(value) };
      // A commit that also changed something elsewhere lists its pages alone.
      return rebuilt.reachingOut.has(`${input.commit}`) ? pagesOf(value) : value;
    },
  },
  show_changes: {
    from: (commit, { rebuilt }) => shownUpTo(rebuilt, commit),
    to: (commit, { rebuilt }) => shownUpTo(rebuilt, commit),
  },
  list_mentions: {
    // A mention where the caller may change nothing is of no use.
    mentions: (mentions: { path: string }[], { scope }) =>
      mentions.filter(({ path }) => liesIn(scope.write, path)),
  },
  preview_page: {
    // The text for a version that may not be read is not that for one that the wiki does not have.
    text: (text, _, answer) => ((answer as { code?: string }).code === 'not_found' ? 'text' : text),
  },
};

interface ListedCommit {
  commit: string;
  pages: { path: string }[];
  pages_total: number;
}

interface ViewedCommit {
  commit: string;
  changes?: { path: string; is_page: boolean }[];
  total?: number;
}

/** The places where the caller may see nothing. Neither the wiki nor its model may list any. */
function elsewhere<Place extends { path: string }>(
  found: readonly Place[] | undefined,
  { read }: Scope,
): Place[] | undefined {
  return found?.filter(({ path }) => !liesIn(read, path));
}

/** The commit, or if nobody may see what it changed, the newest before it of which something may be seen. */
function shownUpTo({ hidden }: Rebuilt, commit: unknown): unknown {
  const before = hidden.get(`${commit}`);
  return before === undefined ? commit : before;
}

/** The number of changes that are counted, but not listed: of a small wiki none. */
function notListed({ total = 0, changes = [] }: ViewedCommit): number {
  return total - changes.length;
}

function pagesOf({ changes, ...rest }: ViewedCommit): unknown {
  if (changes === undefined) return rest;
  const pages = changes.filter((change) => change.is_page);
  return { ...rest, changes: pages, total: pages.length };
}

/** The answer with what cannot be the same replaced by its name. */
function blanked(name: OperationName, answer: unknown): unknown {
  const fields = Object.entries(answer as object);
  const blank = new Set(blankFieldsOf(name));
  return Object.fromEntries(
    fields.map(([key, value]) => [
      key,
      blank.has(key) && (name === 'wiki_status' || value !== null) ? key : value,
    ]),
  );
}

const READS = /^(read|list|search|get|diff|blame|check|view|show|preview)_/;

/** Fields that cannot be the same. */
function blankFieldsOf(name: OperationName): readonly string[] {
  // The zip of the same files, of another date, may be longer.
  if (name === 'export_wiki') return ['size'];
  // A clone would hold everything, and the status names the scope.
  if (name === 'wiki_status') return ['clone', 'scope'];
  // The commit that a write makes has another parent in the model.
  return READS.test(name) ? [] : ['commit'];
}

function named(files: Record<string, Buffer>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path, bytes.toString('base64')]));
}
