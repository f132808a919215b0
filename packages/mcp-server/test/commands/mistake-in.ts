import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Usage } from '../../../bench/src/options.ts';
import { studies, suites } from '../../../bench/src/suites.ts';
import { parseCommandLine } from '../../src/cli/command-line.ts';
import { withoutAssignments } from './command-classes.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/**
 * The error that our own programs find in a line `pnpm SCRIPT ARGUMENT...`, or null if they accept it. Runs
 * them with `--help`, which parses all other options and does nothing.
 */
export async function mistakeIn(line: string): Promise<string | null> {
  const [, script = '', ...rest] = withoutAssignments(line).split(' -- ')[0]?.split(' ') ?? [];
  if (script === 'bench') return mistakeOfBench(rest);
  if (script === 'mcp') return mistakeOfServer(rest);
  // The options of `pnpm lab nfs` are those of a shell script, which has no --help.
  const asked = script === 'lab' ? rest.slice(0, 1) : rest;
  const { scripts } = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8'));
  const [program, ...given] = String(scripts[script]).split(' ');
  if (program !== 'node') return `${script} is no script of package.json that starts a program of ours.`;
  const { status, stderr } = spawnSync(process.execPath, [...given, ...asked, '--help'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return status === 0 ? null : stderr;
}

async function mistakeOfBench([name = '', ...args]: readonly string[]): Promise<string | null> {
  if (name === '') return null;
  const { signal } = new AbortController();
  const [suite, study] = [await suites[name]?.(), await studies[name]?.()];
  try {
    await suite?.([...args, '--help']);
    await study?.([...args, '--help'], { signal, progress: () => {} });
  } catch (error) {
    if (error instanceof Usage) return error.wanted ? null : error.message;
    throw error;
  }
  return `There is no pnpm bench ${name}.`;
}

function mistakeOfServer(args: readonly string[]): string | null {
  // Without quotes, as a shell passes them on.
  const parsed = parseCommandLine(args.map((argument) => argument.replaceAll('"', '')));
  return parsed.kind === 'mistake' ? parsed.sentence : null;
}
