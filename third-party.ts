import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile } from 'esbuild';
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

/** A program, with all that it loads at its start and no program before it has loaded. */
export interface Bundled {
  file: string;
  bytes: number;
  modules: number;
}

/**
 * Bundles a function into `index.mjs` in this directory, with the notices of the bundled packages beside it. The files are
 * replaced as a whole: a function that starts meanwhile, or another build, does no harm.
 */
export async function buildFunctionOf(
  source: URL,
  directory: string,
  more: Pick<BuildOptions, 'conditions' | 'external'> = {},
): Promise<Bundled[]> {
  const aside = `${directory}.${randomUUID()}`;
  const entry = { entryPoints: [fileURLToPath(source)], outfile: join(aside, BUNDLE) };
  const bundled = await buildWithNotices([{ ...functionBundle, ...more, ...entry }]);
  await mkdir(directory, { recursive: true });
  for (const file of [NOTICES_FILE, BUNDLE]) await rename(join(aside, file), join(directory, file));
  await rmdir(aside);
  return bundled;
}

const BUNDLE = 'index.mjs';

type Build = BuildOptions & ({ outfile: string } | { outdir: string });

/**
 * Bundles, and writes beside the bundles the licenses of the packages of which something is in them, with the legal
 * comments of their sources: the bundles themselves stay small.
 * @param builds into one directory.
 * @param more notices of what else lies there.
 */
export async function buildWithNotices(builds: readonly Build[], more = ''): Promise<Bundled[]> {
  const built = await Promise.all(
    builds.map((options) => build({ ...options, legalComments: 'external', metafile: true })),
  );
  const outputs = Object.assign({}, ...built.map(({ metafile }) => metafile.outputs)) as Metafile['outputs'];
  const bundles = Object.keys(outputs).filter((file) => !file.endsWith(LEGAL));
  const legal = await Promise.all(bundles.map((file) => takeComments(`${resolve(file)}${LEGAL}`)));
  const notices = await noticesOf(outputs, legal.join(''));
  const text = more === '' ? notices : `${notices}${RULE}In the scripts for browsers\n${RULE}${more}`;
  await writeFile(join(dirname(resolve(bundles[0] ?? '')), NOTICES_FILE), text);
  requireNames(outputs);
  const programs = builds.flatMap(({ entryPoints = [] }) => Object.values(entryPoints));
  const fileOf = new Map(bundles.map((file) => [resolve(outputs[file]?.entryPoint ?? ''), file]));
  const loaded = new Set<string>();
  return programs.map((program) => {
    const file = fileOf.get(String(program)) ?? '';
    return { file: basename(file), ...startOf(file, outputs, loaded) };
  });
}

/** Throws for a CommonJS module that has a file of its own: an import of it finds `default` and no other name. */
function requireNames(outputs: Metafile['outputs']): void {
  for (const { entryPoint = '', exports } of Object.values(outputs)) {
    const isNameless = exports.length === 1 && exports[0] === 'default' && !entryPoint.endsWith('.json');
    if (entryPoint !== '' && isNameless)
      throw new Error(`${entryPoint} would have no names where it is loaded late.`);
  }
}

/** The code that a program loads at its start: what it loads later is in files of its own, if the bundle is split. */
function startOf(program: string, outputs: Metafile['outputs'], loaded: Set<string>): Omit<Bundled, 'file'> {
  const own = new Set([program]);
  for (const file of own)
    for (const { path, kind } of outputs[file]?.imports ?? [])
      if (kind === 'import-statement' && path in outputs && !loaded.has(path)) own.add(path);
  for (const file of own) loaded.add(file);
  const files = [...own].flatMap((file) => outputs[file] ?? []);
  return {
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    modules: files.reduce((sum, { inputs }) => sum + Object.keys(inputs).length, 0),
  };
}

/** There are none if the sources have none. */
async function takeComments(file: string): Promise<string> {
  const comments = await readFile(file, 'utf8').catch(() => '');
  await rm(file, { force: true });
  return comments;
}

const LEGAL = '.LEGAL.txt';
