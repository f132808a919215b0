import { parseArgs } from 'node:util';
import type { Options } from './options.ts';
import { parseRemoteLine, type RemoteCommand } from './remote-line.ts';
import { type ClientName, clientNames, isClientName } from './setup/clients.ts';

/** A parsed command line, or the sentence that explains why it cannot be parsed. */
export type CommandLine =
  | { kind: 'serve' | 'doctor' | 'help' | 'version'; options: Options }
  /** The address of a team, without a path. */
  | { kind: 'doctor of an address'; address: URL; options: Options }
  /** `place` is a file or folder of this machine. */
  | { kind: 'import' | 'export'; place: string; options: Options }
  /** `place` is a folder of this machine. */
  | { kind: 'mirror'; place: string; options: Options }
  | RemoteCommand
  /** Without a file the token is printed. */
  | { kind: 'token'; file: string | null; options: Options }
  /** No client at all means every one that is found on this machine. */
  | { kind: 'setup'; clients: ClientName[]; options: Options }
  | { kind: 'mistake'; sentence: string };

export type SetupCommand = CommandLine & { kind: 'setup' };

export const usage = `Pagetree: a wiki in git for AI agents, served over MCP on standard input and output.

Usage: pagetree [options]                serves; an AI client starts it so
       pagetree serve [options]          shows the wikis in the browser, and serves agents by address (see serve --help)
       pagetree setup [CLIENT...]        adds it to the settings of AI clients: those named, or all that are found
       pagetree doctor [options]         says what is set up, what works, and what to do next
       pagetree import PLACE [options]   takes a folder of Markdown, a zip, a git repository or a bundle into the wiki
       pagetree export PLACE [options]   writes the wiki to a new folder, zip or bundle, or as a site
       pagetree mirror FOLDER [options]  keeps a folder and the wiki in step, both ways, until Ctrl-C
       pagetree remote add URL [options] keeps the wiki in sync with a git repository elsewhere, as on GitHub or GitLab
       pagetree remote status            says how the last sync went; also: remote sync, remote remove
       pagetree token [FILE]             makes a token for \`pagetree serve --token-file\`, in a new file or printed

  --dir DIRECTORY      the directory of wikis, made if missing (or PAGETREE_DIR)
  --wiki NAME          the wiki that is meant where a call names none (or PAGETREE_WIKI)
  --connect STACK      the wikis of a team on AWS: a stack by its name or ARN, or a function by its ARN or as NAME:ALIAS
                       (or PAGETREE_FUNCTION, which takes a function alone, also by its bare name)
  --files DIRECTORY    a directory whose files tools may read and write, more than once if need be (or PAGETREE_FILES)
  --tools LIST         the tools to offer, comma-separated: names, or all, essential, read-only (or PAGETREE_TOOLS)
  --except-tools LIST  tools to leave out of these (or PAGETREE_EXCEPT_TOOLS)
  --scope LIST         folders of the wiki, as notes/,Team/Ada/: the rest is not there (or PAGETREE_SCOPE)
  --write-scope LIST   folders of the wiki: only these may be changed (or PAGETREE_WRITE_SCOPE)
  --help               show this
  --version            show the version

For doctor:
  --url ADDRESS        tries the address of a team, as https://wiki.example.org, from outside and without an account

For setup, which takes the options above too:
  --author AUTHOR      who writes, as "Name <email>"
  --yes                writes without asking
  --dry-run            only says what would change
  --print              only prints the entry, to be added by hand
  --remove             takes the entry out again

The clients: ${clientNames.slice(0, 6).join(', ')},
${clientNames.slice(6).join(', ')}.

For import:
  --prefix FOLDER      puts the files below this folder of the wiki
  --replace            replaces files that are there with other content
  --dry-run            only says what would change

For export:
  --format FORMAT      folder (the default), zip, bundle, which has the whole history, or site: the pages as files for
                       any web host, with search
  --at COMMIT          as the wiki stood at this commit

For remote add:
  --mode MODE          two-way (the default) merges both sides, pull only takes, push only gives
  --branch NAME        the branch there; without it the default one
  --folder FOLDER      the folder there that is the wiki, as docs/; without it the whole repository
  --every TIME         how often to look at the remote, as 30s, 5m (the default) or 2h
  --token-file FILE    a file with a token that may read and write the repository; without it git is asked
  --token-secret NAME  for a wiki on AWS: the secret pagetree/STACK/WIKI/HOST, which the stack's own sync reads
  --let-agents-sync    agents may ask for a sync, with the tool sync_wiki

PAGETREE_AUTHOR="Name <email>" says who writes; without it git's configuration does.
`;

export function parseCommandLine(args: readonly string[]): CommandLine {
  try {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: known });
    const { help, version, ...options } = values;
    if (help) return { kind: 'help', options };
    if (version) return { kind: 'version', options };
    const [command = 'serve'] = positionals;
    const stray = Object.keys(options).find((option) => belongsTo[option]?.includes(command) === false);
    if (stray !== undefined)
      return mistake(`Option '--${stray}' is for ${belongsTo[stray]?.join(' and ')} alone`);
    // Its own program parses its options.
    if (positionals[0] === 'serve') return mistake("'serve' comes before its options");
    return commandOf(command, positionals, options);
  } catch (error) {
    if (!isArgumentError(error)) throw error;
    // The first sentence names the argument in plain words; the rest is advice for programmers.
    const sentence = error.message.split(/\.\s|\n/)[0] ?? error.message;
    return mistake(sentence);
  }
}

function commandOf(command: string, positionals: readonly string[], options: Options): CommandLine {
  const [, place, other] = positionals;
  if (command === 'remote') {
    const parsed = parseRemoteLine(positionals.slice(1), options);
    return typeof parsed === 'string' ? mistake(parsed) : parsed;
  }
  if (command === 'setup') return setupOf(positionals.slice(1), options);
  if (command === 'doctor' && place === undefined && options.url !== undefined) return addressOf(options);
  if (command === 'doctor' || command === 'serve') {
    return place === undefined ? { kind: command, options } : unexpected(place);
  }
  if (!['import', 'export', 'mirror', 'token'].includes(command)) return unexpected(command);
  if (other !== undefined) return unexpected(other);
  if (command === 'token') return { kind: 'token', file: place ?? null, options };
  if (command !== 'mirror') return transferOf(command === 'import' ? 'import' : 'export', place, options);
  return place === undefined
    ? mistake('mirror needs a folder of this machine')
    : { kind: 'mirror', place, options };
}

function addressOf({ url = '', ...others }: Options): CommandLine {
  const [other] = Object.keys(others);
  if (other !== undefined) return mistake(`Options '--url' and '--${other}' exclude each other`);
  const address = URL.parse(url);
  return address !== null && /^https?:$/.test(address.protocol)
    ? { kind: 'doctor of an address', address: new URL(address.origin), options: {} }
    : mistake(`'${url}' is no address as https://wiki.example.org`);
}

function transferOf(kind: 'import' | 'export', place: string | undefined, options: Options): CommandLine {
  if (place === undefined) return mistake(`${kind} needs a file or folder of this machine`);
  const isPastSite = options.format === 'site' && options.at !== undefined;
  return isPastSite ? mistake("A site shows the newest commit: leave out '--at'") : { kind, place, options };
}

function setupOf(names: readonly string[], options: Options): CommandLine {
  const unknown = names.find((name) => !isClientName(name));
  if (unknown !== undefined)
    return mistake(`There is no client '${unknown}'; there are ${clientNames.join(', ')}`);
  if (options.print && options.remove) return mistake("Options '--print' and '--remove' exclude each other");
  return { kind: 'setup', clients: [...new Set(names.filter(isClientName))], options };
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
  url: { type: 'string' },
  mode: { type: 'string' },
  branch: { type: 'string' },
  folder: { type: 'string' },
  every: { type: 'string' },
  'token-file': { type: 'string' },
  'token-secret': { type: 'string' },
  'let-agents-sync': { type: 'boolean' },
  author: { type: 'string' },
  yes: { type: 'boolean' },
  print: { type: 'boolean' },
  remove: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

/** The commands to which an option means something, if it does not to all. */
const belongsTo: Readonly<Record<string, readonly string[]>> = {
  prefix: ['import'],
  replace: ['import'],
  'dry-run': ['import', 'setup'],
  format: ['export'],
  at: ['export'],
  url: ['doctor'],
  mode: ['remote'],
  branch: ['remote'],
  folder: ['remote'],
  every: ['remote'],
  'token-file': ['remote'],
  'token-secret': ['remote'],
  'let-agents-sync': ['remote'],
  author: ['setup'],
  yes: ['setup'],
  print: ['setup'],
  remove: ['setup'],
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
