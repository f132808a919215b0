import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { BuildOptions, Plugin } from 'esbuild';
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
 * Bundles the function that shows pages: `index.mjs`, which exports `handler`; `start-wiki.mjs` and `handler.mjs`,
 * which it loads in this order when it has started `render-worker.mjs`, the thread that compiles Markdown. They load later what most pages do not need, and need only
 * Node 24 and the files beside them. The same sources give the same bytes. Each file is replaced as a whole.
 */
export async function buildWebFunction(directory = webFunctionDirectory): Promise<Bundled[]> {
  const aside = `${directory}.${randomUUID()}`;
  const common: BuildOptions & { outdir: string } = {
    outdir: aside,
    outExtension: { '.js': '.mjs' },
    ...functionBundle,
    conditions: [...functionBundle.conditions, 'node'],
    // Its setting names a function, so it looks for no stack. Its credentials are in its environment, so nobody logs in.
    external: [
      ...functionBundle.external,
      '@aws-sdk/client-cloudformation',
      '@aws-sdk/credential-provider-login',
      '@aws-sdk/nested-clients/*',
    ],
  };
  const entry = (source: string) => fileURLToPath(new URL(source, import.meta.url));
  const programs = {
    index: entry('src/lambda/main.ts'),
    'start-wiki': entry('src/lambda/start-wiki.ts'),
    handler: entry('src/lambda/open-handler.ts'),
  };
  const worker = entry('src/render-aside/render-worker.ts');
  const bundled = await buildWithNotices(
    [
      // What a page does not need, such as logins and clients, is loaded when somebody comes for it.
      {
        ...common,
        entryPoints: programs,
        plugins: [libraryBeside, wikiElsewhere],
        splitting: true,
        chunkNames: 'part-[hash]',
      },
      { ...common, ...library },
      // Most pages have no formulas and no HTML.
      {
        ...common,
        entryPoints: { 'render-worker': worker },
        splitting: true,
        chunkNames: 'render-part-[hash]',
      },
    ],
    await buildServedNotices(),
  );
  await writeParts(aside);
  await mkdir(directory, { recursive: true });
  // The file that loads the others comes last.
  const files = (await readdir(aside)).sort((one, other) => Number(one === INDEX) - Number(other === INDEX));
  for (const file of files) await rename(join(aside, file), join(directory, file));
  await rmdir(aside);
  // Parts of older builds have other names.
  for (const file of await readdir(directory)) if (!files.includes(file)) await rm(join(directory, file));
  // The library is loaded when a client comes.
  return bundled.filter(({ file }) => file !== 'oidc-provider.mjs');
}

/**
 * Bundles the program of `pagetree serve` for the npm package: `index.mjs`, `render-worker.mjs` for its threads, and the
 * assets of the pages, so that nothing is built on the machine of the user.
 */
export async function buildWebProgram(directory: string): Promise<void> {
  const common: BuildOptions & { outdir: string } = {
    ...serverBundle,
    outdir: directory,
    outExtension: { '.js': '.mjs' },
  };
  const programs = {
    index: fileURLToPath(new URL('src/packaged.ts', import.meta.url)),
    'render-worker': fileURLToPath(new URL('src/render-aside/render-worker.ts', import.meta.url)),
  };
  await buildWithNotices(
    [
      { ...common, entryPoints: programs, plugins: [libraryBeside] },
      { ...common, ...library },
    ],
    await buildServedNotices(),
  );
  await writeAssets(pathToFileURL(join(directory, '/')), assetsOfSources);
}

/**
 * `oidc-provider` stores its objects under the names of their classes, and finds their settings by these names, which are
 * lost where a bundle is made small. So it is a file of its own, loaded when a client comes.
 */
const library = {
  entryPoints: { 'oidc-provider': fileURLToPath(import.meta.resolve('oidc-provider')) },
  keepNames: true,
} satisfies BuildOptions;

/** Imports it by a call: in a file that is not split, a declaration would load it before all other code. */
const libraryBeside: Plugin = {
  name: 'library-beside',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^oidc-provider$/ }, ({ path }) => ({ path, namespace: 'beside' }));
    onResolve({ filter: /^\.\/oidc-provider\.mjs$/ }, ({ path }) => ({ path, external: true }));
    onLoad({ filter: /.*/, namespace: 'beside' }, () => ({
      contents: "export const { Provider, errors } = await import('./oidc-provider.mjs');",
    }));
  },
};

/** The function has no wiki. Only a call that names a file of its machine would load the code of one, and none may. */
const wikiElsewhere: Plugin = {
  name: 'wiki-elsewhere',
  setup: ({ onResolve }) =>
    // Not by `external`, which would take the contract as well.
    onResolve({ filter: /^@pagetree\/wiki$/ }, ({ path }) => ({ path, external: true })),
};

const INDEX = 'index.mjs';

async function writeParts(directory: string): Promise<void> {
  const [stylesheet, script, editor, diagrams, graph] = await Promise.all([
    readStylesheet(),
    buildClientScript(),
    buildEditorScript(),
    buildDiagramFrame(),
    buildGraphScript(),
  ]);
  const bundles = (await readdir(directory))
    .filter((file) => file.endsWith('.mjs'))
    .sort()
    .map((file) => readFile(join(directory, file), 'utf8'));
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
