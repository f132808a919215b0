import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { TransferCommand } from './transfer.ts';

/**
 * Exports a static site by the program that shows the pages in the browser: it has the templates and all that renders,
 * which no server of agents installs.
 * @returns the status of that program, or the sentence that explains why there is none.
 */
export async function exportSite({ place, options }: TransferCommand): Promise<number | string> {
  const program = fileURLToPath(new URL('../../../../start/serve.mjs', import.meta.url));
  if (!existsSync(program)) {
    return 'The format site needs a clone of Pagetree. Run `npx -y pnpm@12 mcp export` there.';
  }
  const { dir, wiki, connect, scope } = options;
  const given = Object.entries({ dir, wiki, connect, scope }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}=${value}`],
  );
  const child = spawn(process.execPath, [program, 'export', ...given, '--', place], {
    stdio: ['ignore', 'inherit', 'inherit'],
    // A signal to the group of this process would reach it twice, and a second one ends it at once.
    detached: process.platform !== 'win32',
  });
  // It ends by itself once it has cleaned up.
  const passOn = (signal: NodeJS.Signals) => child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, passOn);
  const [status] = (await once(child, 'exit')) as [number | null];
  for (const signal of SIGNALS) process.off(signal, passOn);
  return status ?? 1;
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
