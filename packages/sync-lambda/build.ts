import { fileURLToPath } from 'node:url';
import { type Bundled, buildFunctionOf, functionBundle } from '../../third-party.ts';

/** The deployed files, and nothing else. */
const syncFunctionDirectory = fileURLToPath(new URL('dist', import.meta.url));

/** Bundles the function, which exports `handler` and needs only Node 24. The same sources give the same bytes. */
export function buildSyncFunction(directory = syncFunctionDirectory): Promise<Bundled[]> {
  return buildFunctionOf(new URL('src/main.ts', import.meta.url), directory, {
    conditions: [...functionBundle.conditions, 'node'],
    // Its setting names a function, so it looks for no stack.
    external: [...functionBundle.external, '@aws-sdk/client-cloudformation'],
  });
}

if (import.meta.main) await buildSyncFunction();
