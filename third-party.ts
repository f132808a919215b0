import { readFile, rm, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { NOTICES_FILE, noticesOf, RULE } from './third-party-notices.ts';

/**
 * How a function for Lambda is bundled. Like esbuild's platform `node`, except for the form of packages: packages such as
 * yaml offer Node a CommonJS file, which is bundled whole, and everybody else modules, of which only the used parts are
 * bundled. That saves 150 kB. CommonJS packages use `require`, which an ES module does not have.
 */
export const functionBundle = {
  bundle: true,
  platform: 'neutral',
  mainFields: ['module', 'main'],
  conditions: ['import'],
  external: ['node:*', ...builtinModules],
  target: 'node24',
  format: 'esm',
  minify: true,
  charset: 'utf8',
  logLevel: 'warning',
  banner: {
    js: `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);`,
  },
} satisfies BuildOptions;

/** A file that was bundled, and of how many modules. */
export interface Bundled {
  file: string;
  bytes: number;
  modules: number;
}

/**
 * Bundles, and writes beside the bundle the licenses of the packages of which something is in it, with the legal
 * comments of their sources: the bundle itself stays small.
 * @param more notices of what else lies beside the bundle.
 */
export async function buildWithNotices(
  options: BuildOptions & ({ outfile: string } | { outdir: string }),
  more = '',
): Promise<Bundled[]> {
  const { metafile } = await build({ ...options, legalComments: 'external', metafile: true });
  const bundles = Object.entries(metafile.outputs).filter(([, { entryPoint }]) => entryPoint !== undefined);
  const legal = await Promise.all(bundles.map(([bundle]) => takeComments(`${resolve(bundle)}.LEGAL.txt`)));
  const notices = await noticesOf(metafile, legal.join(''));
  const text = more === '' ? notices : `${notices}${RULE}In the scripts for browsers\n${RULE}${more}`;
  await writeFile(join(dirname(resolve(bundles[0]?.[0] ?? '')), NOTICES_FILE), text);
  return bundles.map(([bundle, { bytes, inputs }]) => ({
    ...{ file: basename(bundle), bytes },
    modules: Object.keys(inputs).length,
  }));
}

/** There are none if the sources have none. */
async function takeComments(file: string): Promise<string> {
  const comments = await readFile(file, 'utf8').catch(() => '');
  await rm(file, { force: true });
  return comments;
}
