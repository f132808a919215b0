// First, before the other modules fill the heap.
import '@pagetree/backends/small-heap';

import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import packageJson from '../package.json' with { type: 'json' };
import { runWeb } from './cli/web-program.ts';
import { answerProbe } from './probe/answer-probe.ts';

// To compile the bundle takes a third of the start. The cache lies beside it: a user who may write there may change the
// program anyway. Node goes on without one if nothing can be written there.
if (!import.meta.url.endsWith('.ts'))
  enableCompileCache(fileURLToPath(new URL('.compiled', import.meta.url)));

const { argv, env, stdin, stdout } = process;
const [first, ...others] = argv.slice(2);
if (first === 'serve') await runWeb(others);
else await serveClient();

async function serveClient(): Promise<void> {
  const start = { args: argv.slice(2), env, input: stdin, output: stdout };
  // Loaded late: a client that only asks for the versions does not wait for it.
  if ((await answerProbe(start, packageJson.version)) === 'program') await import('./program.ts');
}
