import { existsSync } from 'node:fs';

/**
 * Runs the program that shows the pages in the browser and exports them, in this process. It has the templates and all
 * that renders, which no server of agents loads. In a clone it installs what it needs first.
 */
export async function runWeb(args: readonly string[]): Promise<void> {
  if (!existsSync(PROGRAM)) {
    process.stderr.write(
      'pagetree: This build serves agents alone. Run `npx -y @pagetree/mcp-server` in place of `pagetree`.\n',
    );
    process.exitCode = 2;
    return;
  }
  // It is a program: it reads them there.
  process.argv.splice(2, process.argv.length, ...args);
  await import(PROGRAM.href);
}

/** Beside the bundle, or in the clone. */
const PROGRAM = new URL(
  import.meta.url.endsWith('.ts') ? '../../../../start/serve.mjs' : 'web/index.mjs',
  import.meta.url,
);
