import type { OperationName } from '@pagetree/wiki/contract';

/**
 * The values of an answer that another call takes as its input, and that the answer's text does not contain.
 * A model sees only the text.
 */
export function missingFrom(text: string, name: OperationName, output: unknown): string[] {
  return [...valuesIn(output, '', name)]
    .filter(([, value]) => !contains(text, value))
    .map(([key, value]) => `${key} ${value}`);
}

function* valuesIn(value: unknown, key: string, name: OperationName): Generator<[string, string | number]> {
  if (typeof value === 'string' || typeof value === 'number') {
    if (isNeeded(key, value, name)) yield [key, shortened(key, value)];
  } else if (Array.isArray(value)) {
    for (const item of value) yield* valuesIn(item, key, name);
  } else if (typeof value === 'object' && value !== null) {
    for (const [field, item] of Object.entries(value)) {
      if (!isHidden(field, value, name)) yield* valuesIn(item, field, name);
    }
  }
}

const COMMITS: ReadonlySet<string> = new Set([
  'commit',
  'from',
  'to',
  'reverted',
  'repair_commit',
  'lost_commits',
]);

const NEEDED: ReadonlySet<string> = new Set([
  ...COMMITS,
  ...['path', 'previous_path', 'page', 'superseded_by', 'moved_to', 'new_target', 'saved_to', 'local_path'],
  ...['links_to', 'attachments', 'linked_from', 'updated_pages', 'suggestions', 'also', 'target', 'link'],
  ...['version', 'next_cursor', 'next_start_line', 'line', 'start_line', 'wiki', 'wikis', 'default', 'tag'],
  ...['author', 'agent', 'heading', 'content', 'diff', 'note', 'error', 'message'],
]);

/** A version is for the next write, which needs the text too: read_page gives both. */
const WITHOUT_VERSIONS: ReadonlySet<string> = new Set(['list_pages', 'search_pages', 'get_history']);

function isNeeded(key: string, value: string | number, name: OperationName): boolean {
  if (value === '' || !NEEDED.has(key)) return false;
  return key !== 'version' || !WITHOUT_VERSIONS.has(name);
}

/** Left out on purpose: what the caller has just written, and what stands in the page's own Markdown. */
function isHidden(field: string, row: object, name: OperationName): boolean {
  if (field === 'frontmatter' || field === 'limits' || field === 'versions') return true;
  if (field === 'commit')
    return ['search_pages', 'list_pages', 'list_attachments', 'list_folders', 'list_tags'].includes(name);
  if (field === 'outline') return 'content' in row && row.content !== '';
  if (field === 'line') return 'text' in row && String(row.text).trim() === '';
  if (field === 'start_line') return 'content' in row;
  if (field === 'note') return 'next_start_line' in row && row.next_start_line !== null;
  if (field === 'message' || field === 'pages') return name === 'get_history' && 'commit' in row;
  if (field === 'diff') return isCreation(row) || isDeletion(row, name);
  return false;
}

function isCreation(row: object): boolean {
  return 'previous_version' in row && row.previous_version === null;
}

function isDeletion(row: object, name: OperationName): boolean {
  return name === 'delete_page' || ('version' in row && row.version === null);
}

/** The first digits of a commit and the name of an author are enough for every operation that takes them. */
function shortened(key: string, value: string | number): string | number {
  if (key === 'author') return String(value).replace(/(?<=\S)\s*<[^<>]*>$/, '');
  return COMMITS.has(key) ? String(value).slice(0, 10) : value;
}

function contains(text: string, value: string | number): boolean {
  if (typeof value === 'number') return new RegExp(`(?<!\\d)${value}(?!\\d)`).test(text);
  return [value, value.replace(/\n$/, ''), JSON.stringify(value).slice(1, -1)].some((form) =>
    text.includes(form),
  );
}
