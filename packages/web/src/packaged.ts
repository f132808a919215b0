// First, before the other modules fill the heap.
import '@pagetree/backends/small-heap';

import { assetsOfPackage } from './cli/assets/assets-of-package.ts';
import { runProgram } from './program.ts';

// The program of the npm package, beside its assets.
await runProgram(process.argv.slice(2), assetsOfPackage(new URL('.', import.meta.url)));
