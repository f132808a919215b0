import { randomUUID } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';

/** What is deployed, and nothing beside it. */
export const functionDirectory = fileURLToPath(new URL('dist', import.meta.url));

/**
 * Bundles the function into `index.mjs` in this directory, which exports `handler` and needs nothing beside Node 24.
 * The same sources give the same bytes. The file is replaced as a whole: a function that starts meanwhile, or another
 * build, does no harm.
 */
export async function buildFunction(directory = functionDirectory): Promise<void> {
  const aside = join(directory, `.${randomUUID()}.mjs`);
  await build({
    entryPoints: [fileURLToPath(new URL('src/main.ts', import.meta.url))],
    outfile: aside,
    bundle: true,
    ...nodeWithModules,
    target: 'node24',
    format: 'esm',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    banner: { js: banner },
  });
  await rename(aside, join(directory, 'index.mjs'));
}

/**
 * As esbuild's platform `node`, but for what a package offers to each: isomorphic-git and yaml give Node CommonJS, which
 * comes as a whole, and everybody else modules, of which only what is used comes. That is 150 kB less.
 */
const nodeWithModules: BuildOptions = {
  platform: 'neutral',
  mainFields: ['module', 'main'],
  conditions: ['import'],
  external: ['node:*', ...builtinModules],
};

/** The CommonJS packages in the bundle ask for `require`, which an ES module does not have. */
const banner = `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);`;

if (import.meta.main) await buildFunction();
