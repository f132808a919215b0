// @ts-check

import { start } from './program.mjs';

await start('mcp', 'packages/mcp-server/src/main.ts');
