import { delimiter } from 'node:path';
import { guessAuthor, parseAuthor } from '@pagetree/backends/author';
import { absolute, readPlace, readScope, setting } from '@pagetree/backends/config';
import { readFileDirectories, readToolSelection, type Surroundings } from '../config.ts';
import type { Options } from '../options.ts';
import type { ServerStart } from './clients.ts';
import { findVariable, type Served, serverStart } from './server-start.ts';
import type { Terminal } from './terminal.ts';

/**
 * The command with which clients start the server: from the options, the variables, and a person's answers if
 * neither is set. A sentence if something is wrong, because a client would start the server with the same
 * mistake.
 */
export async function readStart(
  options: Options,
  surroundings: Surroundings,
  terminal: Terminal | null,
): Promise<ServerStart | string> {
  const mistakes = [readToolSelection(options, surroundings), readScope(options, surroundings)].flatMap(
    (read) => (read.kind === 'mistake' ? [read.sentence] : []),
  );
  const place = readPlace(options, surroundings);
  mistakes.push(...place.problems);
  const author = setting(options.author, surroundings.env.PAGETREE_AUTHOR);
  if (author !== null && parseAuthor(author) === null) mistakes.push(noAuthor(author));
  if (mistakes.length > 0) return mistakes.join(' ');

  const known: Served = {
    author: author ?? (await authorOfGit(surroundings, terminal !== null)),
    directory: place.aws === null ? place.directory : null,
    wiki: place.wiki,
    files: readFileDirectories(options, surroundings),
  };
  const questions = questionsFor(known, options, surroundings, author !== null);
  const served = terminal === null ? known : await ask(terminal, known, questions);
  if (served === null) return 'Nothing was written.';
  if (typeof served === 'string') return served;
  const start = await serverStart(served, options, surroundings);
  return findVariable(start) ?? start;
}

interface Question {
  text: string;
  /** The answer as a part of the served settings, or the sentence that says why it is invalid. */
  read: (answer: string) => Partial<Served> | string;
}

/** Asks the questions one after the other; null if the person ended the input. */
async function ask(
  terminal: Terminal,
  known: Served,
  questions: readonly Question[],
): Promise<Served | string | null> {
  let served = known;
  for (const { text, read } of questions) {
    const answer = await terminal.ask(text);
    if (answer === null) return null;
    const part = answer.trim() === '' ? {} : read(answer.trim());
    if (typeof part === 'string') return part;
    served = { ...served, ...part };
  }
  return served;
}

/** The questions for values that neither an option nor a variable sets. */
function questionsFor(
  known: Served,
  options: Options,
  surroundings: Surroundings,
  isAuthorGiven: boolean,
): Question[] {
  const { env } = surroundings;
  const author: Question = {
    text: `Who writes? [${known.author}] `,
    read: (answer) => (parseAuthor(answer) === null ? noAuthor(answer) : { author: answer }),
  };
  const directory: Question = {
    text: `Folder of wikis? [${known.directory}] `,
    read: (answer) => ({ directory: absolute(answer, surroundings) }),
  };
  const wiki: Question = {
    text: 'Wiki to use when a call names none? [the one that the folder names] ',
    read: (answer) => {
      const { wiki, problems } = readPlace({ wiki: answer }, { ...surroundings, env: {} });
      return problems.length > 0 ? problems.join(' ') : { wiki };
    },
  };
  const files: Question = {
    text: `Folders whose files agents may read and write, separated by "${delimiter}"? [none] `,
    read: (answer) => ({
      files: readFileDirectories({}, { ...surroundings, env: { PAGETREE_FILES: answer } }),
    }),
  };
  const isDirectoryGiven = known.directory === null || setting(options.dir, env.PAGETREE_DIR) !== null;
  return [
    ...(isAuthorGiven ? [] : [author]),
    ...(isDirectoryGiven ? [] : [directory]),
    ...(known.wiki === null ? [wiki] : []),
    ...(known.files.length === 0 ? [files] : []),
  ];
}

/** The author from git's configuration. If it is incomplete, a guess for a person to correct, or nothing. */
async function authorOfGit({ authorSources }: Surroundings, canBeCorrected: boolean): Promise<string | null> {
  const sources = await authorSources();
  if (!canBeCorrected && (sources.git.name === null || sources.git.email === null)) return null;
  const { name, email } = guessAuthor(sources);
  return `${name} <${email}>`;
}

function noAuthor(text: string): string {
  return `The author is ${JSON.stringify(text)}, but must read like "Ada Lovelace <ada@example.org>".`;
}
