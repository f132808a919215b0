import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Where `buildFunction` puts the bundle: what is deployed, and nothing beside it. */
export const functionDirectory = fileURLToPath(new URL('dist', import.meta.url));

/**
 * Bundles the function into `dist/index.mjs`, which exports `handler` and needs nothing beside Node 24. The same
 * sources give the same bytes.
 */
export async function buildFunction(): Promise<void> {
  await build({
    entryPoints: [fileURLToPath(new URL('src/main.ts', import.meta.url))],
    outfile: `${functionDirectory}/index.mjs`,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    banner: { js: banner },
  });
}

/** The CommonJS packages in the bundle ask for `require`, which an ES module does not have. */
const banner = `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);`;

if (import.meta.main) await buildFunction();
