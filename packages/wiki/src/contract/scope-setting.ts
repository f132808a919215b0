import { type Scope, scope } from './scope.ts';

export type ScopeSetting = { kind: 'scope'; scope: Scope | null } | { kind: 'mistake'; sentence: string };

/**
 * Parses the parts of the wiki to which this server is limited: comma-separated lists of folders. Without
 * `read` everything may be read; without `write` everything readable may be changed; without both there is no
 * limit.
 */
export function parseScope(read: string | null, write: string | null): ScopeSetting {
  if (read === null && write === null) return { kind: 'scope', scope: null };
  const readable = read === null ? null : foldersIn(read);
  const writable = write === null ? null : foldersIn(write);
  const wrong = [...(readable ?? []), ...(writable ?? [])].find((folder) => !isFolder(folder));
  if (wrong !== undefined) return { kind: 'mistake', sentence: notAFolder(wrong) };
  const everything = [''];
  const parsed = scope.parse({ read: readable ?? everything, write: writable ?? readable ?? everything });
  const outside = parsed.write.find((folder) => !parsed.read.some((within) => folder.startsWith(within)));
  if (outside === undefined) return { kind: 'scope', scope: parsed };
  return {
    kind: 'mistake',
    sentence: `${JSON.stringify(outside)} may be changed (--write-scope, PAGETREE_WRITE_SCOPE) but not read (--scope, PAGETREE_SCOPE).`,
  };
}

/** For models, which would otherwise search for pages that they cannot see, and for people. */
export function describeScope({ read, write }: Scope): string {
  const seen = read.includes('') ? 'everything may be read' : `only what lies in ${named(read)} is there`;
  const mayChangeAll = read.every((folder) => write.includes(folder));
  return mayChangeAll ? seen : `${seen}, and only what lies in ${named(write)} may be changed`;
}

function foldersIn(list: string): string[] {
  return list.split(',').map((folder) => folder.trim());
}

/**
 * An empty name, or a variable that was not filled in, is a mistake: it must not mean "everything" or
 * "nothing".
 */
function isFolder(text: string): boolean {
  return text !== '' && !text.includes('${') && scope.shape.read.element.safeParse(text).success;
}

function notAFolder(text: string): string {
  const meant = `${text.replaceAll('\\', '/').replace(/^[./]+|\/+$/g, '')}/`;
  const hint = isFolder(meant) ? `Did you mean ${JSON.stringify(meant)}?` : 'Write it like "Guides/".';
  return `The scope ${JSON.stringify(text)} is no folder of a wiki with a slash at its end. ${hint}`;
}

function named(folders: readonly string[]): string {
  const names = folders.slice(0, 3).map((folder) => JSON.stringify(folder.slice(0, 80)));
  const more = folders.length - names.length;
  return names.join(', ') + (more > 0 ? ` and ${more} more folders` : '');
}
