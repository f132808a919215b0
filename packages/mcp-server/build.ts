import { createRequire } from 'node:module';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { buildWithNotices } from '../../third-party.ts';

/** The bundle of `src/program.ts`, beside that of `src/main.ts`, which loads it. */
export const PROGRAM_FILE = 'pagetree-program.js';

/**
 * Bundles the server into files that need only Node: it starts three times as fast as the sources. The first one is
 * small, and answers a client that only asks for the versions without the program. The program is split, so that a start
 * does not read what few calls need. Writes the notices of the bundled packages beside them. The package ships this
 * bundle; the repository's own scripts run the sources, so that no bundle can be out of date.
 */
export async function buildServer(outfile: string): Promise<void> {
  const program = fileURLToPath(new URL('src/program.ts', import.meta.url));
  await buildWithNotices([
    {
      ...serverBundle,
      entryPoints: { [basename(PROGRAM_FILE, '.js')]: program },
      outdir: dirname(outfile),
      splitting: true,
      chunkNames: 'part-[hash]',
      // Modules of packages that have both: esbuild gives a CommonJS one that is loaded late no named exports.
      mainFields: ['module', 'main'],
    },
  ]);
  await build({
    ...serverBundle,
    entryPoints: [fileURLToPath(new URL('src/main.ts', import.meta.url))],
    outfile,
    plugins: [programBeside],
  });
}

const programBeside: Plugin = {
  name: 'program-beside',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/program\.ts$/ }, () => ({ path: `./${PROGRAM_FILE}`, external: true })),
};

/** The CommonJS packages in the bundle use `require`, which an ES module does not have. */
const banner = `#!/usr/bin/env node
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);`;

/** How the programs of the npm package are bundled. */
export const serverBundle = {
  bundle: true,
  platform: 'node',
  target: 'node22',
  format: 'esm',
  minify: true,
  logLevel: 'warning',
  banner: { js: banner },
  alias: {
    // Its usual entry finds its own files in a way that no bundler understands.
    'jsonc-parser': createRequire(import.meta.url).resolve('jsonc-parser/lib/esm/main.js'),
    // Without the SDK's copy of Ajv, which would check what clients are asked for: this server asks nothing.
    '@modelcontextprotocol/server/_shims': fileURLToPath(new URL('sdk-shims.ts', import.meta.url)),
  },
} satisfies BuildOptions;

if (import.meta.main) await buildServer(fileURLToPath(new URL('dist/pagetree.js', import.meta.url)));
