import { randomUUID } from 'node:crypto';
import { mkdir, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Bundled, buildWithNotices, functionBundle } from '../../third-party.ts';
import { NOTICES_FILE } from '../../third-party-notices.ts';

/** The deployed files, and nothing else. */
const syncFunctionDirectory = fileURLToPath(new URL('dist', import.meta.url));

/**
 * Bundles the function into `index.mjs` in this directory, which exports `handler` and needs only Node 24, with the notices
 * of the bundled packages beside it. The same sources give the same bytes. The files are replaced as a whole.
 */
export async function buildSyncFunction(directory = syncFunctionDirectory): Promise<Bundled[]> {
  const aside = `${directory}.${randomUUID()}`;
  const bundled = await buildWithNotices([
    {
      entryPoints: [fileURLToPath(new URL('src/main.ts', import.meta.url))],
      outfile: join(aside, BUNDLE),
      ...functionBundle,
      conditions: [...functionBundle.conditions, 'node'],
      // Its setting names a function, so it looks for no stack.
      external: [...functionBundle.external, '@aws-sdk/client-cloudformation'],
    },
  ]);
  await mkdir(directory, { recursive: true });
  for (const file of [NOTICES_FILE, BUNDLE]) await rename(join(aside, file), join(directory, file));
  await rmdir(aside);
  return bundled;
}

const BUNDLE = 'index.mjs';

if (import.meta.main) await buildSyncFunction();
