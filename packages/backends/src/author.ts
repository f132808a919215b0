import type { Author } from '@pagetree/wiki/contract';

/** Parses `Name <email>`; null if the text has another form. */
export function parseAuthor(text: string): Author | null {
  const match = /^\s*([^<>\r\n\0]*[^<>\s\0])\s*<([^<>\s\0]+)>\s*$/.exec(text);
  const [, name, email] = match ?? [];
  if (name === undefined || email === undefined || name.length > longest || email.length > longest)
    return null;
  return { name, email };
}

/** The sources of a person's name and address, best first; null if a source does not know it. */
export interface AuthorSources {
  git: { name: string | null; email: string | null };
  /** The name of the system's user, and of the machine. */
  user: string | null;
  host: string;
}

/** The author if none was given: from git's configuration, completed from the system's user. Never empty. */
export function guessAuthor({ git, user, host }: AuthorSources): Author {
  const account = oneLine(user) ?? 'unknown';
  return {
    name: oneLine(git.name) ?? account,
    email: oneLine(git.email) ?? `${account}@${oneLine(host) ?? 'localhost'}`.replaceAll(' ', '-'),
  };
}

/** The author of every change, and what is wrong with how it is set. */
export interface ChosenAuthor {
  author: Author;
  /** The sentence that says why the given author cannot be taken; null if it can, or if none was given. */
  problem: string | null;
  /**
   * The author settings that git's configuration lacks, with the setting to use; null if an author was given.
   */
  missingIdentity: string | null;
}

/** The author that PAGETREE_AUTHOR gives, or else the one that the sources know. */
export function chooseAuthor(given: string | null, sources: AuthorSources): ChosenAuthor {
  if (given === null) {
    return {
      author: guessAuthor(sources),
      problem: null,
      missingIdentity: describeMissingIdentity(sources),
    };
  }
  const parsed = parseAuthor(given);
  const problem = `PAGETREE_AUTHOR is ${JSON.stringify(given)}, but must read like "Ada Lovelace <ada@example.org>".`;
  return {
    author: parsed ?? guessAuthor(sources),
    problem: parsed === null ? problem : null,
    missingIdentity: null,
  };
}

/** The author settings that git's configuration lacks, with the setting to use; null if it lacks none. */
function describeMissingIdentity(sources: AuthorSources): string | null {
  const missing = (['name', 'email'] as const).filter((part) => oneLine(sources.git[part]) === null);
  if (missing.length === 0) return null;
  const { name, email } = guessAuthor(sources);
  const settings = missing.map((part) => `user.${part}`).join(' and no ');
  const cures = missing
    .map((part) => `\`git config --global user.${part} "${EXAMPLE[part]}"\``)
    .join(' and ');
  return `git's configuration has no ${settings}, so that changes are recorded as by ${name} <${email}>. Run ${cures}, or set PAGETREE_AUTHOR="${EXAMPLE.name} <${EXAMPLE.email}>".`;
}

const EXAMPLE = { name: 'Your Name', email: 'you@example.org' };

/** Git itself has no limit; this one keeps a line of a commit readable. */
const longest = 200;

/** The text in a form that fits a commit's author line, or null if nothing is left. */
function oneLine(text: string | null): string | null {
  const line =
    text
      ?.replaceAll(/[\p{Cc}\s<>]+/gu, ' ')
      .trim()
      .slice(0, longest)
      .toWellFormed() ?? '';
  return line === '' ? null : line;
}
