import { WikiError } from '../../contract/errors.ts';
import { quoted } from '../text/markdown/hidden-characters.ts';

/** A file that cannot be imported, with the reason. */
export interface ImportProblem {
  path: string;
  reason: string;
}

const named = 20;

/** The error that lists all files that cannot be imported: if there is one, nothing is imported. */
export function cannotImport(problems: readonly ImportProblem[], total: number): WikiError {
  const shown = problems.slice(0, named).map(({ path, reason }) => `${quoted(path)}: ${reason}`);
  const more = problems.length > named ? `\nAnd ${problems.length - named} more.` : '';
  // A file may have several problems.
  const files = new Set(problems.map(({ path }) => path)).size;
  return new WikiError(
    'invalid_path',
    {
      happened: `${files} of ${total} files cannot be imported.\n${shown.join('\n')}${more}\n`,
      now: 'Nothing was imported.',
      next: 'Rename, mend or remove these files, and import again.',
    },
    { problems: problems.slice(0, named), problems_total: problems.length },
  );
}

export function importClashes(paths: readonly string[], total: number): WikiError {
  const shown = paths
    .slice(0, named)
    .map((path) => quoted(path))
    .join(', ');
  const more = paths.length > named ? ` and ${paths.length - named} more` : '';
  return new WikiError(
    'already_exists',
    {
      happened: `${paths.length} of ${total} files exist in the wiki with other content: ${shown}${more}.`,
      now: 'Nothing was imported.',
      next: 'Set replace to replace them (history keeps what they are now), or give a prefix to import into a folder of its own.',
      atTerminal:
        'Give --replace to replace them (history keeps what they are now), or --prefix FOLDER to import into a folder of its own.',
    },
    { paths: paths.slice(0, named), paths_total: paths.length },
  );
}

export function importTooLarge(what: string): WikiError {
  return new WikiError('too_large', {
    happened: `The import would be too large: ${what}.`,
    now: 'Nothing was unpacked or imported.',
    next: 'Import it in parts, or copy it with git.',
  });
}

export function archiveFailure(reason: string, cause?: unknown): WikiError {
  return new WikiError(
    'invalid_input',
    {
      happened: `The zip cannot be read: ${reason}.`,
      now: 'Nothing was imported.',
      next: 'Pack it anew, without a password.',
    },
    {},
    { cause },
  );
}

export function notImportable(): WikiError {
  return new WikiError('invalid_input', {
    happened: 'What was given is no zip and no git bundle.',
    now: 'Nothing was imported.',
    next: 'Give a folder of Markdown, a zip of one, a git repository, or a file made by `git bundle create FILE HEAD main`.',
  });
}

/** The error for importing a history into an existing wiki, which has its own. */
export function historyNeedsNewWiki(name: string): WikiError {
  return new WikiError(
    'already_exists',
    {
      happened: `The wiki ${JSON.stringify(name)} exists, and a history can only become a new wiki.`,
      now: 'Nothing was imported.',
      next: 'Name a wiki that does not exist yet.',
      atTerminal: 'Name a wiki that does not exist yet (--wiki NAME).',
    },
    { wiki: name },
  );
}
