// @ts-check

import { ensureInstalled } from './parts.mjs';

await ensureInstalled('everything');
