import { WikiError } from '../../contract/errors.ts';
import type { Input, OperationName } from '../../contract/operations.ts';
import { operations } from '../../contract/operations.ts';
import { liesIn, type Scope } from '../../contract/scope.ts';
import { describeScope } from '../../contract/scope-setting.ts';

/**
 * Throws `forbidden` if a write names a page or file that may not be changed. Runs before anything is read,
 * so that the refusal reveals nothing.
 */
export function requireNamedInScope(scope: Scope, name: OperationName, input: Input<OperationName>): void {
  if (operations[name].effect !== 'write') return;
  requireChangeable(scope, name === 'import_wiki' ? [importedTo(input)] : namedBy(input));
}

/** Throws `forbidden` if one of the paths may not be changed. */
export function requireChangeable(scope: Scope, paths: readonly string[]): void {
  const outside = paths.find((path) => !liesIn(scope.write, path));
  if (outside !== undefined) throw notChangeable(scope, outside);
}

/** Throws `invalid_input` for an id so short that commits elsewhere could be found by trying. */
export function requireKnownCommit(prefix: string): void {
  if (prefix.length >= LEAST_DIGITS) return;
  throw new WikiError('invalid_input', {
    happened: `The commit id ${JSON.stringify(prefix)} is too short where only a part of the wiki may be seen.`,
    now: 'Nothing was changed.',
    next: `Give at least ${LEAST_DIGITS} of its digits, as get_history shows them.`,
  });
}

/** As many as answers show. Among a million commits, a guess hits one once in a million tries. */
const LEAST_DIGITS = 10;

/** The error for an operation that concerns the wiki as a whole. */
export function wholeWikiOnly(scope: Scope, what: string): WikiError {
  return new WikiError(
    'forbidden',
    {
      happened: `${what} takes the whole wiki, and from here only a part may be seen or changed: ${describeScope(scope)}.`,
      now: 'Nothing was done.',
      next: 'Ask the person who runs this server to do it.',
      atTerminal: 'Do it without --scope and --write-scope.',
    },
    { scope },
  );
}

export function commitReachesOut(scope: Scope): WikiError {
  return new WikiError(
    'forbidden',
    {
      happened: `The commit changed more than what may be seen from here, which is ${namesOf(scope.read)}.`,
      now: 'Nothing was changed.',
      next: 'Bring single pages back with restore_page.',
    },
    { scope },
  );
}

function notChangeable(scope: Scope, path: string): WikiError {
  return new WikiError(
    'forbidden',
    {
      happened: `${path === '' ? 'The root of the wiki' : JSON.stringify(path.slice(0, 200))} is outside of what may be changed from here, which is ${namesOf(scope.write)}.`,
      now: 'Nothing was written.',
      next: 'Use a path below one of these, or ask the person who runs this server for more.',
      atTerminal: 'Use a path below one of these, or widen --scope and --write-scope.',
    },
    { path, scope },
  );
}

/** The folders of a scope, for people. */
export function namesOf(folders: readonly string[]): string {
  return folders.map((folder) => (folder === '' ? 'everything' : JSON.stringify(folder))).join(', ');
}

function importedTo(input: Input<OperationName>): string {
  const { prefix = '' } = input as Input<'import_wiki'>;
  return prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`;
}

/** Every page and file that a write's arguments name as a place to change. */
function namedBy(input: Input<OperationName>): string[] {
  const { path, new_path, changes, files } = input as {
    path?: string;
    new_path?: string;
    changes?: { path: string; new_path?: string | undefined }[];
    files?: { path: string }[];
  };
  const changed = (changes ?? []).flatMap((change) => [change.path, change.new_path]);
  return [path, new_path, ...changed, ...(files ?? []).map((file) => file.path)].filter(
    (named) => named !== undefined,
  );
}
