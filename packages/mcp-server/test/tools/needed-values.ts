import type { OperationName } from '@pagetree/wiki/contract';

/**
 * The values of an answer that another call takes as its input, and that the answer's text does not contain.
 * A model sees only the text.
 */
export function missingFrom(text: string, name: OperationName, output: unknown): string[] {
  const read = `${text}\n${pathsIn(text).join('\n')}`;
  return [...valuesIn(output, '', name)]
    .filter(([, value]) => !contains(read, value))
    .map(([key, value]) => `${key} ${value}`);
}

/** The whole paths of names that stand below their folder, or behind it in brackets. */
function pathsIn(text: string): string[] {
  const paths: string[] = [];
  let folder = '';
  for (const line of text.split('\n')) {
    if (/^".*\/"$/.test(line)) folder = JSON.parse(line);
    const [, name] = /^ {2}("(?:[^"\\]|\\.)*")/.exec(line) ?? [];
    if (name !== undefined) paths.push(folder + JSON.parse(name));
  }
  for (const [, folder, names] of text.matchAll(/("(?:[^"\\]|\\.)*\/") (\["(?:[^"\\]|\\.|", ")*"\])/g)) {
    for (const name of JSON.parse(names ?? '')) paths.push(JSON.parse(folder ?? '') + name);
  }
  return paths;
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

/** Left out on purpose: what the caller gave, what stands in the page's own Markdown, and what another call shows. */
function isHidden(field: string, row: object, name: OperationName): boolean {
  if (field === 'frontmatter' || field === 'limits' || field === 'versions') return true;
  if (field === 'commit')
    return ['search_pages', 'list_pages', 'list_attachments', 'list_folders', 'list_tags'].includes(name);
  if (field === 'outline') return 'content' in row && row.content !== '';
  if ('text' in row && isHiddenLine(field, row, name)) return true;
  if (field === 'start_line') return 'content' in row || 'by' in row;
  if (field === 'link') return name.startsWith('delete_') && 'new_target' in row && row.new_target === null;
  if (field === 'note') return 'next_start_line' in row && row.next_start_line !== null;
  if (field === 'message') return (name === 'get_history' || name === 'blame_page') && 'commit' in row;
  if (field === 'pages') return name === 'get_history' && 'commit' in row;
  if (field === 'diff') return isCreation(row) || isDeletion(row, name) || isGiven(row, name);
  return false;
}

/** Lines of a search are a choice, without the targets of reference links. The title stands above its passages. */
function isHiddenLine(
  field: string,
  row: { text: unknown; heading?: unknown },
  name: OperationName,
): boolean {
  if (field === 'heading' && !String(row.heading).includes('/')) return true;
  return name === 'search_pages' && (field === 'line' || isOfLinks(String(row.text)));
}

function isOfLinks(text: string): boolean {
  return text.split('\n').every((line) => line.trim() === '' || /^\[.+\]: /.test(line));
}

const GIVEN: ReadonlySet<string> = new Set([
  ...['edit_page', 'append_to_page', 'edit_section', 'update_frontmatter', 'commit_changes'],
]);

function isGiven(row: object, name: OperationName): boolean {
  return GIVEN.has(name) && !('commit' in row && row.commit === null);
}

function isCreation(row: object): boolean {
  return 'previous_version' in row && row.previous_version === null;
}

function isDeletion(row: object, name: OperationName): boolean {
  return name === 'delete_page' || ('version' in row && row.version === null);
}

/** The first digits of a commit and the name of an author are enough for every operation that takes them. */
function shortened(key: string, value: string | number): string | number {
  if (key === 'heading') return String(value).slice(String(value).indexOf('/') + 1);
  if (key === 'author') return String(value).replace(/(?<=\S)\s*<[^<>]*>$/, '');
  return COMMITS.has(key) ? String(value).slice(0, 10) : value;
}

function contains(text: string, value: string | number): boolean {
  if (typeof value === 'number') return new RegExp(`(?<!\\d)${value}(?!\\d)`).test(text);
  return [value, value.replace(/\n$/, ''), JSON.stringify(value).slice(1, -1)].some((form) =>
    text.includes(form),
  );
}
