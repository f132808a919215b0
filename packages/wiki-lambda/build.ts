import { randomUUID } from 'node:crypto';
import { mkdir, rename, rmdir } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildOptions } from 'esbuild';
import { buildWithNotices, NOTICES_FILE } from '../../third-party.ts';

/** The deployed files, and nothing else. */
export const functionDirectory = fileURLToPath(new URL('dist', import.meta.url));

/**
 * Bundles the function into `index.mjs` in this directory, which exports `handler` and needs only Node 24,
 * with the notices of the bundled packages beside it. The same sources give the same bytes. The files are
 * replaced as a whole: a function that starts meanwhile, or another build, does no harm.
 */
export async function buildFunction(directory = functionDirectory): Promise<void> {
  const aside = `${directory}.${randomUUID()}`;
  await buildWithNotices({
    entryPoints: [fileURLToPath(new URL('src/main.ts', import.meta.url))],
    outfile: join(aside, BUNDLE),
    bundle: true,
    ...nodeWithModules,
    target: 'node24',
    format: 'esm',
    minify: true,
    charset: 'utf8',
    logLevel: 'warning',
    banner: { js: banner },
  });
  await mkdir(directory, { recursive: true });
  for (const file of [NOTICES_FILE, BUNDLE]) await rename(join(aside, file), join(directory, file));
  await rmdir(aside);
}

const BUNDLE = 'index.mjs';

/**
 * Like esbuild's platform `node`, except for the form of packages: packages such as yaml offer Node a
 * CommonJS file, which is bundled whole, and everybody else modules, of which only the used parts are
 * bundled. That saves 150 kB.
 */
const nodeWithModules: BuildOptions = {
  platform: 'neutral',
  mainFields: ['module', 'main'],
  conditions: ['import'],
  external: ['node:*', ...builtinModules],
};

/** The CommonJS packages in the bundle use `require`, which an ES module does not have. */
const banner = `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);`;

if (import.meta.main) await buildFunction();
