import type { Oid } from '@pagetree/wiki/oid';
import { fromBytes, type RawCommit, toBytes } from './raw-commit.ts';

export interface Described {
  /** The commits that are brought over, newest first. */
  commits: readonly RawCommit[];
  /** The newest commit of that side: the date is its own, so that the words are the same each time. */
  newest: RawCommit;
  /** The message if no commit is named. */
  fallback: string;
  /** The beginning of the message for several commits: "3 changes of docs/", without the number. */
  changes: string;
}

/**
 * The words of a commit that stands for others: those of the only one, or a list of several with their authors. Words that
 * no git would take are left out.
 */
export function wordsFor({ commits: given, newest, fallback, changes }: Described): string {
  const shortened = (commit: RawCommit) => ({ ...commit, words: bounded(commit.words) });
  const [single, ...others] = given.map(shortened);
  if (single !== undefined && others.length === 0 && isSound(single, { mayBeEncoded: true }))
    return single.words;
  const commits = given.map(inUtf8).map(shortened);
  const sound = commits.filter((commit) => isSound(commit));
  const date = dateOf(newest);
  const own = 'Pagetree <pagetree@localhost>';
  if (sound.length === 0) return `author ${own} ${date}\ncommitter ${own} ${date}\n\n${toBytes(fallback)}\n`;
  const authors = [...new Set(sound.map(authorOf))];
  const listed = sound
    .slice(0, MAX_LISTED)
    .map((commit) => `- ${subjectOf(commit)} (${nameOf(authorOf(commit))})\n`);
  const left = commits.length - listed.length;
  const more = left === 0 ? '' : `- and ${left} more\n`;
  const trailers = authors.slice(0, MAX_LISTED).map((author) => `Co-authored-by: ${author}\n`);
  const message = `${commits.length} ${toBytes(changes)}\n\n${listed.join('')}${more}\n${trailers.join('')}`;
  return `author ${authors[0] ?? own} ${date}\ncommitter ${own} ${date}\n\n${message}`;
}

/** True if nothing but the message makes the words long. */
export function canBeBounded({ words }: RawCommit): boolean {
  return words.length <= MAX_CHARACTERS || /\n(?:\n|$)/.test(words.slice(0, MAX_HEADERS));
}

/** The words with the beginning of a message that is very long: the report of a sync has room for one commit alone. */
export function bounded(words: string): string {
  if (words.length <= MAX_CHARACTERS) return words;
  let end = MAX_CHARACTERS - CUT.length;
  // A character of several bytes is not cut.
  for (let back = 0; back < 3 && /[\x80-\xbf]/.test(words.charAt(end)); back += 1) end -= 1;
  return words.slice(0, end) + CUT;
}

/** Converts the words to UTF-8. Keeps them if the encoding is unknown. */
function inUtf8(commit: RawCommit): RawCommit {
  const headers = commit.words.slice(0, Math.max(commit.words.indexOf('\n\n'), 0)).split('\n');
  const encoding = headers.find((line) => line.startsWith('encoding '));
  if (encoding === undefined) return commit;
  try {
    const decoder = new TextDecoder(encoding.slice('encoding '.length));
    const words = commit.words.replace(`\n${encoding}\n`, '\n');
    return { ...commit, words: toBytes(decoder.decode(Buffer.from(words, 'latin1'))) };
  } catch (error) {
    if (error instanceof RangeError) return commit;
    throw error;
  }
}

/** Git refuses commits with other words, and the wiki does. Control characters are left out as well. */
function isSound({ words }: RawCommit, { mayBeEncoded = false }: { mayBeEncoded?: boolean } = {}): boolean {
  const end = words.indexOf('\n\n');
  const headers = words.slice(0, Math.max(end, 0)).split('\n');
  if (words.length > MAX_CHARACTERS || words.includes('\0')) return false;
  if (headers.length !== 2 && !(mayBeEncoded && headers.length === 3)) return false;
  return headers.every((line, at) => HEADERS[at]?.test(line) && [...line].every((byte) => byte >= ' '));
}

const HEADERS = [
  ...['author', 'committer'].map(
    (role) => new RegExp(`^${role} [^<>\\s][^<>]* <[^<>]*> (?:0|[1-9]\\d{0,9}) [+-]\\d{4}$`),
  ),
  /^encoding [\w.-]{1,40}$/,
];

/** The date and the time zone of the committer. */
function dateOf({ words }: RawCommit): string {
  const committer = words.split('\n').find((line) => line.startsWith('committer '));
  return / (?:0|[1-9]\d{0,9}) [+-]\d{4}$/.exec(committer ?? '')?.[0].slice(1) ?? '0 +0000';
}

/** Name and address of a sound commit. */
function authorOf({ words }: RawCommit): string {
  return words.slice('author '.length, words.indexOf('> ') + 1);
}

function nameOf(author: string): string {
  return author.slice(0, author.indexOf(' <'));
}

function subjectOf({ words }: RawCommit): string {
  const message = fromBytes(words.slice(words.indexOf('\n\n') + 2)).trim();
  return toBytes((message.split(/[\r\n]/)[0] ?? '').slice(0, MAX_SUBJECT).toWellFormed());
}

/**
 * The commits that lead to `newest` and to none of `ends`. Without merges, which have no changes of their own, unless there
 * is nothing else.
 */
export function changesUpTo(
  newest: RawCommit,
  commits: ReadonlyMap<Oid, RawCommit>,
  ends: ReadonlySet<Oid | null>,
): RawCommit[] {
  // A branch may go around the ends, to what came before them.
  const before = new Set(ends);
  for (const oid of before) for (const parent of commits.get(oid ?? '')?.parents ?? []) before.add(parent);
  const seen = new Set([newest]);
  for (const { parents } of seen)
    for (const parent of parents) {
      const commit = before.has(parent) ? undefined : commits.get(parent);
      if (commit !== undefined) seen.add(commit);
    }
  const changing = [...seen].filter(({ parents }) => parents.length < 2);
  return changing.length === 0 ? [newest] : changing;
}

/** The commit, unless it is a merge or stands for others: then it may name commits and authors of another remote. */
export function ownWords(commit: RawCommit): RawCommit[] {
  return commit.parents.length < 2 && commit.stands === null ? [commit] : [];
}

const MAX_LISTED = 20;
const MAX_SUBJECT = 200;
const MAX_CHARACTERS = 100_000;
const MAX_HEADERS = 10_000;
const CUT = ' [...]\n';
