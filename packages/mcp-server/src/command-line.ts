import { parseArgs } from 'node:util';

/** What the command line asks for, or the sentence that says why it cannot be understood. */
export type CommandLine =
  | { kind: 'serve' | 'help' | 'version'; options: Options }
  | { kind: 'mistake'; sentence: string };

export interface Options {
  dir?: string;
  wiki?: string;
  tools?: string;
  'except-tools'?: string;
}

export const usage = `Pagetree: a wiki in git for AI agents, served over MCP on standard input and output.

Usage: pagetree [options]

  --dir DIRECTORY      the directory of wikis, made if missing (or PAGETREE_DIR)
  --wiki NAME          the wiki that is meant where a call names none (or PAGETREE_WIKI)
  --tools LIST         the tools to offer, parted by commas: names, or all, essential, read-only (or PAGETREE_TOOLS)
  --except-tools LIST  tools to leave out of these (or PAGETREE_EXCEPT_TOOLS)
  --help               show this
  --version            show the version

PAGETREE_AUTHOR="Name <email>" says who writes; without it git's configuration does.
`;

export function parseCommandLine(args: readonly string[]): CommandLine {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        dir: { type: 'string' },
        wiki: { type: 'string' },
        tools: { type: 'string' },
        'except-tools': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    });
    const { help, version, ...options } = values;
    return { kind: help ? 'help' : version ? 'version' : 'serve', options };
  } catch (error) {
    if (!isArgumentError(error)) throw error;
    // Its first sentence names the argument in plain words; the rest is advice for programmers.
    const sentence = error.message.split(/\.\s|\n/)[0] ?? error.message;
    return { kind: 'mistake', sentence: `${sentence}. Run with --help to see the options.` };
  }
}

function isArgumentError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_');
}
