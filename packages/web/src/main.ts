// First, before the other modules fill the heap.
import '@pagetree/backends/small-heap';

import { assetsOfSources } from './cli/assets/assets-of-sources.ts';
import { runProgram } from './program.ts';

await runProgram(process.argv.slice(2), assetsOfSources);
