import { parseArgs } from 'node:util';

/** What the command line asks for, or the sentence that says why it cannot be understood. */
export type CommandLine =
  | { kind: 'serve' | 'doctor' | 'help' | 'version'; options: Options }
  | { kind: 'mistake'; sentence: string };

export interface Options {
  dir?: string;
  wiki?: string;
  connect?: string;
  files?: string[];
  tools?: string;
  'except-tools'?: string;
}

export const usage = `Pagetree: a wiki in git for AI agents, served over MCP on standard input and output.

Usage: pagetree [options]          serves; an AI client starts it so
       pagetree doctor [options]   says what is set up, what works, and what to do next

  --dir DIRECTORY      the directory of wikis, made if missing (or PAGETREE_DIR)
  --wiki NAME          the wiki that is meant where a call names none (or PAGETREE_WIKI)
  --connect STACK      the wikis of a stack deployed on AWS (PAGETREE_FUNCTION names its function instead)
  --files DIRECTORY    a directory whose files tools may read and write, more than once if need be (or PAGETREE_FILES)
  --tools LIST         the tools to offer, parted by commas: names, or all, essential, read-only (or PAGETREE_TOOLS)
  --except-tools LIST  tools to leave out of these (or PAGETREE_EXCEPT_TOOLS)
  --help               show this
  --version            show the version

PAGETREE_AUTHOR="Name <email>" says who writes; without it git's configuration does.
`;

export function parseCommandLine(args: readonly string[]): CommandLine {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        dir: { type: 'string' },
        wiki: { type: 'string' },
        connect: { type: 'string' },
        files: { type: 'string', multiple: true },
        tools: { type: 'string' },
        'except-tools': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    });
    const { help, version, ...options } = values;
    const [command, ...others] = positionals;
    const unexpected = command === 'doctor' ? others[0] : command;
    if (unexpected !== undefined) return mistake(`Unexpected argument '${unexpected}'`);
    return { kind: help ? 'help' : version ? 'version' : command === 'doctor' ? 'doctor' : 'serve', options };
  } catch (error) {
    if (!isArgumentError(error)) throw error;
    // Its first sentence names the argument in plain words; the rest is advice for programmers.
    const sentence = error.message.split(/\.\s|\n/)[0] ?? error.message;
    return mistake(sentence);
  }
}

function mistake(what: string): CommandLine {
  return { kind: 'mistake', sentence: `${what}. Run with --help to see the options.` };
}

function isArgumentError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_');
}
