// @ts-check

import { start } from './program.mjs';

/* `node start/run.mjs FILE ARGUMENT...`: a program that may need everything. */

const [file = ''] = process.argv.splice(2, 1);
await start('everything', file);
