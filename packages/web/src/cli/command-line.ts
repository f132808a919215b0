import { parseArgs } from 'node:util';
import type { CommandNames, PlaceOptions } from '@pagetree/backends/config';

/** A parsed command line, or the sentence that explains why it cannot be parsed. */
export type CommandLine =
  | { kind: 'serve'; options: ServeOptions }
  /** `place` is a directory of this machine. */
  | { kind: 'export'; place: string; options: ExportOptions }
  | { kind: 'help' }
  | { kind: 'mistake'; sentence: string };

export interface ExportOptions extends PlaceOptions {
  scope?: string;
}

export interface ServeOptions extends PlaceOptions {
  port: number;
  open: boolean;
  scope?: string;
  'write-scope'?: string;
  'read-only'?: boolean;
  tools?: string;
  'except-tools'?: string;
  files?: string[];
  'token-file'?: string;
  listen?: string;
  'public-url'?: string;
  issuer?: string;
  'client-id'?: string;
  'client-secret-file'?: string;
  access?: string;
}

export function usage({ serve }: CommandNames): string {
  return `Pagetree in the browser: people read and write the pages of a wiki, search them and see their history.

Usage: ${serve} [options]
       ${serve} export DIRECTORY [options]   writes the pages as a static site, with --dir, --wiki, --connect and --scope

  --port PORT          the port on 127.0.0.1 (7327 without it)
  --dir DIRECTORY      the directory of wikis, made if missing (or PAGETREE_DIR)
  --wiki NAME          the wiki to begin with (or PAGETREE_WIKI)
  --connect STACK      the wikis of a team on AWS: a stack by its name or ARN, or a function by its ARN or as NAME:ALIAS
                       (or PAGETREE_FUNCTION)
  --scope LIST         folders of the wiki, as notes/,Team/Ada/: the rest is not there (or PAGETREE_SCOPE)
  --write-scope LIST   folders of the wiki: only these may be changed (or PAGETREE_WRITE_SCOPE)
  --read-only          nothing can be changed here, neither in the browser nor by agents
  --open               opens the browser
  --tools LIST         the tools for agents, comma-separated: names, or all, essential, read-only (or PAGETREE_TOOLS)
  --except-tools LIST  tools to leave out of these (or PAGETREE_EXCEPT_TOOLS)
  --files DIRECTORY    a directory whose files the tools of agents may read and write (or PAGETREE_FILES)
  --token-file FILE    agents must send the token in this file, and may then come through a tunnel or a proxy
  --listen ADDRESS     the address of this machine to answer at (127.0.0.1 without it); another one only with --issuer or
                       --token-file
  --help               show this

For a team that logs in, behind a proxy with TLS (all five together):
  --public-url URL            the address of these pages in the browser, as https://wiki.example.org
  --issuer URL                who says who somebody is, by OpenID Connect
  --client-id ID              the name of these pages at the issuer
  --client-secret-file FILE   the file with their secret there
  --access FILE               who may read and write what; a change of it counts within seconds

Agents connect to http://127.0.0.1:PORT/mcp.

PAGETREE_AUTHOR="Name <email>" says who writes; without it git's configuration does.

Without a login it answers this machine alone. It ends on Ctrl-C. Agents may write beside it: open pages show
what they write within a second.
`;
}

export function parseCommandLine(args: readonly string[]): CommandLine {
  try {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: KNOWN });
    const [command, place, ...others] = positionals;
    const { help, port = String(DEFAULT_PORT), open = false, host, ...options } = values;
    if (help) return { kind: 'help' };
    const isGuarded = values.issuer !== undefined || values['token-file'] !== undefined;
    const unguarded = [host, isGuarded ? undefined : values.listen].find(
      (address) => address !== undefined && !LOOPBACK.includes(address),
    );
    if (unguarded !== undefined) return { kind: 'mistake', sentence: notLoopback(unguarded) };
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
      return mistake(`The port ${JSON.stringify(port)} is no number from 0 to 65535`);
    }
    const stray = command === 'export' ? others[0] : command;
    if (stray !== undefined) return mistake(`Unexpected argument '${stray}'`);
    if (command === 'export') return exportOf(place, values);
    return { kind: 'serve', options: { ...options, port: Number(port), open } };
  } catch (error) {
    if (!isArgumentError(error)) throw error;
    // The first sentence names the argument in plain words; the rest is advice for programmers.
    return mistake(error.message.split(/\.\s|\n/)[0] ?? error.message);
  }
}

function exportOf(place: string | undefined, values: Record<string, unknown>): CommandLine {
  if (place === undefined) return mistake('export needs a directory of this machine');
  const stray = Object.keys(values).find((option) => !['dir', 'wiki', 'connect', 'scope'].includes(option));
  if (stray !== undefined) return mistake(`Option '--${stray}' is not for export`);
  return { kind: 'export', place, options: values };
}

const DEFAULT_PORT = 7_327;

const KNOWN = {
  port: { type: 'string' },
  dir: { type: 'string' },
  wiki: { type: 'string' },
  connect: { type: 'string' },
  scope: { type: 'string' },
  'write-scope': { type: 'string' },
  'read-only': { type: 'boolean' },
  open: { type: 'boolean' },
  tools: { type: 'string' },
  'except-tools': { type: 'string' },
  files: { type: 'string', multiple: true },
  'token-file': { type: 'string' },
  listen: { type: 'string' },
  'public-url': { type: 'string' },
  issuer: { type: 'string' },
  'client-id': { type: 'string' },
  'client-secret-file': { type: 'string' },
  access: { type: 'string' },
  // Parsed only to be refused: it says which address to use instead.
  host: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

const LOOPBACK = ['127.0.0.1', 'localhost'];

function notLoopback(host: string): string {
  return `Without a login, everybody who reaches ${host} could read and change the wiki: these pages are served on 127.0.0.1 alone. For a team that logs in, use --issuer and --listen. To use them from another machine by yourself, forward the port: ssh -L ${DEFAULT_PORT}:127.0.0.1:${DEFAULT_PORT} THIS-MACHINE.`;
}

function mistake(what: string): CommandLine {
  return { kind: 'mistake', sentence: `${what}. Run with --help to see the options.` };
}

function isArgumentError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_');
}
