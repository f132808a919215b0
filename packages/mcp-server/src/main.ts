// First, before the other modules fill the heap.
import '@pagetree/backends/small-heap';

import packageJson from '../package.json' with { type: 'json' };
import { runWeb } from './cli/web-program.ts';
import { answerProbe } from './probe/answer-probe.ts';

const { argv, env, stdin, stdout } = process;
const [first, ...others] = argv.slice(2);
if (first === 'serve') await runWeb(others);
else await serveClient();

async function serveClient(): Promise<void> {
  const start = { args: argv.slice(2), env, input: stdin, output: stdout };
  // Loaded late: a client that only asks for the versions does not wait for it.
  if ((await answerProbe(start, packageJson.version)) === 'program') await import('./program.ts');
}
