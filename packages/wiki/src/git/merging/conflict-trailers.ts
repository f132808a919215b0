import { limits } from '../../contract/limits.ts';
import type { ConflictMarks } from '../../core/commit-info.ts';
import type { MergeConflict, MergeConflicts } from '../../core/transport-port.ts';
import type { Commit } from '../../formats/commit.ts';
import { decodeName, encodeName, type Name } from '../../formats/names.ts';
import type { Oid } from '../../formats/oid.ts';
import { kindOf } from '../../formats/tree.ts';
import { MERGE_REQUEST } from '../../storage/storage.ts';
import { TreeEditor } from '../change/tree-editor.ts';
import type { Objects } from '../objects.ts';

/** The lines of a merge's message that name its conflicts, and the number of those that find no room. */
export function conflictTrailers(conflicts: readonly (readonly Name[])[]): string[] {
  const lines: string[] = [];
  let room = MAX_BYTES;
  for (const path of conflicts.slice(0, limits.conflictsMost)) {
    const line = `${CONFLICT}${quotedPath(path)}`;
    room -= Buffer.byteLength(line) + 1;
    if (room < 0) break;
    lines.push(line);
  }
  const more = conflicts.length - lines.length;
  return more === 0 ? lines : [...lines, `${MORE}${more}`];
}

/** The line of a commit that leaves a file as it is, and says so. */
export function settledTrailer(treePath: string): string {
  return `${SETTLED}${quotedPath(treePath.split('/').map(encodeName))}`;
}

/**
 * The marks in the message of a commit. Only a merge that `merge_commits` made opens conflicts. A foreign commit can
 * look like one: the index believes no more than what the trees of its parents show.
 */
export function conflictMarks({
  message,
  parents,
}: Pick<Commit, 'message' | 'parents'>): ConflictMarks | undefined {
  if (!message.includes(`\n${parents.length > 1 ? CONFLICT : SETTLED}`)) return undefined;
  const lines = lastParagraph(message);
  const isMerge = parents.length === 2 && lines.at(-3) === `Request-Id: ${MERGE_REQUEST}${parents[1]}`;
  const marks = {
    open: isMerge ? pathsIn(lines, CONFLICT) : [],
    settled: parents.length === 1 ? pathsIn(lines, SETTLED) : [],
  };
  return marks.open.length + marks.settled.length === 0 ? undefined : marks;
}

/** The files that such lines name. The wiki does not show names that are not UTF-8. */
function pathsIn(lines: readonly string[], key: string): string[] {
  return lines.flatMap((line) => {
    const names = line.startsWith(key) ? parsePath(line.slice(key.length)).map(decodeName) : [null];
    return names.includes(null) ? [] : [names.join('/')];
  });
}

function lastParagraph(message: string): string[] {
  return (message.trimEnd().split('\n\n').at(-1) ?? '').split('\n');
}

/** The conflicts that the message of a merge of ours names, with the versions that its two parents have. */
export async function readConflicts(objects: Objects, merge: Oid): Promise<MergeConflicts> {
  const { message, parents } = await objects.commit(merge);
  const [ours, theirs] = await Promise.all(
    parents.slice(0, 2).map(async (parent) => new TreeEditor(objects, (await objects.commit(parent)).tree)),
  );
  const conflicts: MergeConflict[] = [];
  let more = 0;
  for (const line of lastParagraph(message)) {
    if (line.startsWith(MORE)) more = Number(line.slice(MORE.length));
    if (!line.startsWith(CONFLICT)) continue;
    const path = line.slice(CONFLICT.length);
    const names = parsePath(path);
    conflicts.push({ path, ours: await blobAt(ours, names), theirs: await blobAt(theirs, names) });
  }
  return { conflicts, more };
}

async function blobAt(tree: TreeEditor | undefined, path: readonly Name[]): Promise<Oid | null> {
  const item = (await tree?.get(path)) ?? null;
  return item === null || kindOf(item) === 'submodule' ? null : item.oid;
}

/** As git quotes a path with `core.quotePath=false`, and also where a line would lose a space at its ends. */
export function quotedPath(path: readonly Name[]): string {
  const bytes = path.join('/');
  const parts = path.map(decodeName);
  const text = parts.includes(null) ? null : parts.join('/');
  if (text !== null && !NEEDS_QUOTES.test(text)) return text;
  const keepsBytes = text === null ? NOT_PLAIN_ASCII : NOT_PLAIN;
  const quoted = bytes.replace(keepsBytes, escaped);
  return `"${Buffer.from(quoted, 'latin1').toString('utf8')}"`;
}

export function parsePath(text: string): Name[] {
  if (!text.startsWith('"')) return text.split('/').map(encodeName);
  const bytes = encodeName(text.slice(1, -1)).replace(/\\([0-7]{3}|.)/g, (_, code: string) =>
    code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : code,
  );
  return bytes.split('/');
}

function escaped(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`;
  return `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;
}

const CONFLICT = 'Conflict: ';
const SETTLED = 'Settled: ';
const MORE = 'More-Conflicts: ';
/** Storage finds out which commit a pack is named after by its first 64 KB. */
const MAX_BYTES = 30_000;
// biome-ignore-start lint/suspicious/noControlCharactersInRegex: these are the characters that git escapes.
const NEEDS_QUOTES = /^\s|\s$|["\\\x00-\x1f\x7f]/;
const NOT_PLAIN = /["\\\x00-\x1f\x7f]/g;
const NOT_PLAIN_ASCII = /["\\\x00-\x1f\x7f-\xff]/g;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: see above.
