import type { Author } from '@pagetree/wiki/contract';

/** `Name <email>`, or null where the text is no such thing. */
export function parseAuthor(text: string): Author | null {
  const match = /^\s*([^<>\r\n\0]*[^<>\s\0])\s*<([^<>\s\0]+)>\s*$/.exec(text);
  const [, name, email] = match ?? [];
  if (name === undefined || email === undefined || name.length > longest || email.length > longest)
    return null;
  return { name, email };
}

/** Where a person's name and address may be known from, best first; null where a source does not know. */
export interface AuthorSources {
  git: { name: string | null; email: string | null };
  /** The name of the system's user, and of the machine. */
  user: string | null;
  host: string;
}

/** Who writes where nobody said: git's configuration, and what it lacks from the system's user. Never empty. */
export function guessAuthor({ git, user, host }: AuthorSources): Author {
  const account = oneLine(user) ?? 'unknown';
  return {
    name: oneLine(git.name) ?? account,
    email: oneLine(git.email) ?? `${account}@${oneLine(host) ?? 'localhost'}`.replaceAll(' ', '-'),
  };
}

/** git's own limit is none; this one keeps a line of a commit readable. */
const longest = 200;

/** What can stand in a commit's author line, or null where nothing is left. */
function oneLine(text: string | null): string | null {
  const line =
    text
      ?.replaceAll(/[\p{Cc}\s<>]+/gu, ' ')
      .trim()
      .slice(0, longest)
      .toWellFormed() ?? '';
  return line === '' ? null : line;
}
