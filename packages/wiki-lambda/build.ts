import { fileURLToPath } from 'node:url';
import { type Bundled, buildFunctionOf } from '../../third-party.ts';

/** The deployed files, and nothing else. */
export const functionDirectory = fileURLToPath(new URL('dist', import.meta.url));

/** Bundles the function, which exports `handler` and needs only Node 24. The same sources give the same bytes. */
export function buildFunction(directory = functionDirectory): Promise<Bundled[]> {
  return buildFunctionOf(new URL('src/main.ts', import.meta.url), directory);
}

if (import.meta.main) await buildFunction();
