import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { BuildOptions } from 'esbuild';
import { type Bundled, buildWithNotices, functionBundle } from '../../third-party.ts';
import { serverBundle } from '../mcp-server/build.ts';
import { writeAssets } from './src/cli/assets/assets-of-package.ts';
import { assetsOfSources } from './src/cli/assets/assets-of-sources.ts';
import { buildServedNotices } from './src/cli/assets/client-notices.ts';
import {
  buildClientScript,
  buildDiagramFrame,
  buildEditorScript,
  buildGraphScript,
} from './src/cli/assets/client-script.ts';
import { readStylesheet } from './src/cli/assets/stylesheet.ts';
import type { BuiltParts } from './src/lambda/built-parts.ts';
import { digestOf } from './src/site/entity-tag.ts';

/** The files of the function, and nothing else. */
export const webFunctionDirectory = fileURLToPath(new URL('dist', import.meta.url));

/**
 * Bundles the function that shows pages: `index.mjs`, which exports `handler`, and `render-worker.mjs` for its threads,
 * so that the start compiles no Markdown. They need only Node 24 and the files beside them. The same sources give the
 * same bytes. Each file is replaced as a whole.
 */
export async function buildWebFunction(directory = webFunctionDirectory): Promise<Bundled[]> {
  const aside = `${directory}.${randomUUID()}`;
  const build: BuildOptions & { outdir: string } = {
    entryPoints: {
      index: fileURLToPath(new URL('src/lambda/main.ts', import.meta.url)),
      'render-worker': fileURLToPath(new URL('src/render-aside/render-worker.ts', import.meta.url)),
    },
    outdir: aside,
    outExtension: { '.js': '.mjs' },
    ...functionBundle,
    conditions: [...functionBundle.conditions, 'node'],
    // Its setting names a function, so it looks for no stack. Its credentials are in its environment, so nobody logs in.
    external: [
      ...functionBundle.external,
      '@aws-sdk/client-cloudformation',
      '@aws-sdk/credential-provider-login',
    ],
  };
  const bundled = await buildWithNotices(build, await buildServedNotices());
  await writeParts(aside);
  await mkdir(directory, { recursive: true });
  for (const file of await readdir(aside)) await rename(join(aside, file), join(directory, file));
  await rmdir(aside);
  return bundled;
}

/**
 * Bundles the program of `pagetree serve` for the npm package: `index.mjs`, `render-worker.mjs` for its threads, and the
 * assets of the pages, so that nothing is built on the machine of the user.
 */
export async function buildWebProgram(directory: string): Promise<void> {
  const build: BuildOptions & { outdir: string } = {
    ...serverBundle,
    entryPoints: {
      index: fileURLToPath(new URL('src/packaged.ts', import.meta.url)),
      'render-worker': fileURLToPath(new URL('src/render-aside/render-worker.ts', import.meta.url)),
    },
    outdir: directory,
    outExtension: { '.js': '.mjs' },
  };
  await buildWithNotices(build, await buildServedNotices());
  await writeAssets(pathToFileURL(join(directory, '/')), assetsOfSources);
}

async function writeParts(directory: string): Promise<void> {
  const [stylesheet, script, editor, diagrams, graph] = await Promise.all([
    readStylesheet(),
    buildClientScript(),
    buildEditorScript(),
    buildDiagramFrame(),
    buildGraphScript(),
  ]);
  const bundles = ['index.mjs', 'render-worker.mjs'].map((file) => readFile(join(directory, file), 'utf8'));
  const build = digestOf(
    [...(await Promise.all(bundles)), stylesheet, script, editor, diagrams.digest, graph.digest].join('\0'),
  );
  const { digest, scripts } = diagrams;
  const parts: BuiltParts = {
    build,
    stylesheet,
    script,
    editor,
    graph: { digest: graph.digest },
    diagrams: { digest, scripts },
  };
  await writeFile(join(directory, 'site.json'), JSON.stringify(parts));
  await writeFile(join(directory, 'diagrams.html'), diagrams.html());
  await writeFile(join(directory, 'graph.js'), graph.text());
}

if (import.meta.main) await buildWebFunction();
