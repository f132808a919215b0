import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withoutAssignments } from './command-classes.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/** A line that a document asks people to type. */
export interface Command {
  /** The documents that have it. */
  files: string[];
  /** Without its comment, and with `pnpm` for `npx -y pnpm@12`. */
  line: string;
}

/** Every command in the documents of this repository: lines of shell, indented lines, and code within a sentence. */
export function everyCommand(): Command[] {
  const found = new Map<string, Set<string>>();
  for (const file of documents()) {
    for (const line of commandsIn(readFileSync(join(ROOT, file), 'utf8'))) {
      found.set(line, (found.get(line) ?? new Set()).add(file));
    }
  }
  return Array.from(found, ([line, files]) => ({ line, files: [...files] }));
}

/** The scripts of package.json, each of which is a command. */
export function everyScript(): string[] {
  return Object.keys(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts);
}

/**
 * Without the changelog, which describes the past, and the ADRs, which give reasons: they ask nobody to type
 * anything, except for our own commands.
 */
function documents(): string[] {
  const tracked = execFileSync('git', ['-C', ROOT, 'ls-files', '*.md'], { encoding: 'utf8' });
  return tracked.split('\n').filter((file) => file !== '' && file !== 'CHANGELOG.md');
}

/** The lines of Markdown that are commands, also those that set variables first. */
export function commandsIn(markdown: string): string[] {
  const shell = [...markdown.matchAll(/^( *)```sh\n(.*?)^\1```$/gms)].flatMap(([, , block = '']) =>
    linesOf(block),
  );
  const rest = markdown.replaceAll(/^( *)```.*?^\1```$/gms, '');
  const indented = rest
    .split('\n')
    .filter((line) => /^ {4,}\S/.test(line))
    .filter(isOurs);
  const spans = [...rest.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span).filter(isOurs);
  return [...shell, ...indented, ...spans].map(tidied).filter((line) => line !== '');
}

/** A line of shell. A quotation over several lines becomes one line. */
function linesOf(block: string): string[] {
  return block.split(/\n(?=(?:[^']*'[^']*')*[^']*$)/);
}

function isOurs(line: string): boolean {
  return /^\s*(npx\s+-y\s+)?pnpm(@12)?\s|^\s*(node\s+)?(packages|labs|\.ci)\/\S+\s/.test(
    withoutAssignments(line),
  );
}

function tidied(line: string): string {
  return line
    .replace(/\s+#\s.*$/s, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('npx -y pnpm@12', 'pnpm')
    .trim();
}
