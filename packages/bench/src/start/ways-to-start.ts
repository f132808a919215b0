import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from '../median.ts';
import { rivalProgram } from '../rival-program.ts';
import { measureProcess, measureStart } from './measure-start.ts';

export interface Way {
  name: string;
  /** Median, in milliseconds since the first process was begun. */
  listedMs: number;
}

/** The commands with which a client starts the server, by name, and that of another server. */
export function waysToStart({
  bundle,
  wikis,
  rivals,
}: Record<'bundle' | 'wikis', string> & { rivals: string | null }): Record<string, string[]> {
  const node = process.execPath;
  return {
    'what `setup` writes, run by npx or from the installed package': [node, bundle, '--dir', wikis],
    'what `setup` writes in a clone': [node, join(CLONE, 'start', 'mcp.mjs'), '--dir', wikis],
    'the command of the README, in a clone': ['npx', '-y', 'pnpm@12', '-C', CLONE, 'mcp', '--dir', wikis],
    'npx alone: `npx -y pnpm@12 --version`': ['npx', '-y', 'pnpm@12', '--version'],
    ...(rivals === null
      ? {}
      : { 'server-filesystem, its program': [node, rivalProgram(rivals, 'filesystem'), wikis] }),
  };
}

const CLONE = fileURLToPath(new URL('../../../../', import.meta.url));

/** In turns. The first round fills the caches of the machine and is not counted. */
export async function measureWays(ways: Record<string, string[]>, runs: number): Promise<Way[]> {
  const taken = new Map<string, number[]>();
  for (let run = 0; run <= runs; run++) {
    for (const [name, command] of Object.entries(ways)) {
      const listedMs = await listedAfter(command);
      if (run > 0) taken.set(name, [...(taken.get(name) ?? []), listedMs]);
    }
  }
  return [...taken].map(([name, times]) => ({ name, listedMs: median(times) }));
}

async function listedAfter(command: string[]): Promise<number> {
  return command.at(-1) === '--version'
    ? measureProcess(command)
    : (await measureStart(command, null)).listed;
}
