// @ts-check

import { start } from './program.mjs';

await start('serve', 'packages/web/src/main.ts');
