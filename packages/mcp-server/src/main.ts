// First, before the other modules fill the heap.
import '@pagetree/backends/small-heap';

import packageJson from '../package.json' with { type: 'json' };
import { answerProbe } from './probe/answer-probe.ts';

const { argv, env, stdin, stdout } = process;
const next = await answerProbe(
  { args: argv.slice(2), env, input: stdin, output: stdout },
  packageJson.version,
);
// Loaded late: a client that only asks for the versions does not wait for it.
if (next === 'program') await import('./program.ts');
