import { parseArgs } from 'node:util';

/** What the command line asks for, or the sentence that says why it cannot be understood. */
export type CommandLine =
  | { kind: 'serve' | 'doctor' | 'help' | 'version'; options: Options }
  /** `place` is a file or folder of this machine. */
  | { kind: 'import' | 'export'; place: string; options: Options }
  | { kind: 'mistake'; sentence: string };

export interface Options {
  dir?: string;
  wiki?: string;
  connect?: string;
  files?: string[];
  tools?: string;
  'except-tools'?: string;
  scope?: string;
  'write-scope'?: string;
  prefix?: string;
  replace?: boolean;
  'dry-run'?: boolean;
  format?: string;
  at?: string;
}

export const usage = `Pagetree: a wiki in git for AI agents, served over MCP on standard input and output.

Usage: pagetree [options]                serves; an AI client starts it so
       pagetree doctor [options]         says what is set up, what works, and what to do next
       pagetree import PLACE [options]   takes a folder of Markdown, a zip, a git repository or a bundle into the wiki
       pagetree export PLACE [options]   writes the wiki to a new folder, zip or bundle

  --dir DIRECTORY      the directory of wikis, made if missing (or PAGETREE_DIR)
  --wiki NAME          the wiki that is meant where a call names none (or PAGETREE_WIKI)
  --connect STACK      the wikis of a stack deployed on AWS (PAGETREE_FUNCTION names its function instead)
  --files DIRECTORY    a directory whose files tools may read and write, more than once if need be (or PAGETREE_FILES)
  --tools LIST         the tools to offer, parted by commas: names, or all, essential, read-only (or PAGETREE_TOOLS)
  --except-tools LIST  tools to leave out of these (or PAGETREE_EXCEPT_TOOLS)
  --scope LIST         folders of the wiki, as notes/,Team/Ada/: the rest is not there (or PAGETREE_SCOPE)
  --write-scope LIST   folders of the wiki: only these may be changed (or PAGETREE_WRITE_SCOPE)
  --help               show this
  --version            show the version

For import:
  --prefix FOLDER      puts the files below this folder of the wiki
  --replace            replaces files that are there with other content
  --dry-run            only says what would change

For export:
  --format FORMAT      folder (the default), zip, or bundle, which has the whole history
  --at COMMIT          as the wiki stood at this commit

PAGETREE_AUTHOR="Name <email>" says who writes; without it git's configuration does.
`;

export function parseCommandLine(args: readonly string[]): CommandLine {
  try {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: known });
    const { help, version, ...options } = values;
    if (help) return { kind: 'help', options };
    if (version) return { kind: 'version', options };
    const [command = 'serve', place, ...others] = positionals;
    const stray = Object.keys(options).find((option) => (belongsTo[option] ?? command) !== command);
    if (stray !== undefined) return mistake(`Option '--${stray}' is for ${belongsTo[stray]} alone`);
    if (command === 'import' || command === 'export') {
      if (place === undefined) return mistake(`${command} needs a file or folder of this machine`);
      return others[0] === undefined ? { kind: command, place, options } : unexpected(others[0]);
    }
    if (command !== 'doctor' && command !== 'serve') return unexpected(command);
    if (positionals[0] === 'serve') return unexpected('serve');
    return place === undefined ? { kind: command, options } : unexpected(place);
  } catch (error) {
    if (!isArgumentError(error)) throw error;
    // Its first sentence names the argument in plain words; the rest is advice for programmers.
    const sentence = error.message.split(/\.\s|\n/)[0] ?? error.message;
    return mistake(sentence);
  }
}

const known = {
  dir: { type: 'string' },
  wiki: { type: 'string' },
  connect: { type: 'string' },
  files: { type: 'string', multiple: true },
  tools: { type: 'string' },
  'except-tools': { type: 'string' },
  scope: { type: 'string' },
  'write-scope': { type: 'string' },
  prefix: { type: 'string' },
  replace: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  format: { type: 'string' },
  at: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

/** Options that mean something to one command alone. */
const belongsTo: Readonly<Record<string, string>> = {
  prefix: 'import',
  replace: 'import',
  'dry-run': 'import',
  format: 'export',
  at: 'export',
};

function unexpected(argument: string): CommandLine {
  return mistake(`Unexpected argument '${argument}'`);
}

function mistake(what: string): CommandLine {
  return { kind: 'mistake', sentence: `${what}. Run with --help to see the options.` };
}

function isArgumentError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_');
}
