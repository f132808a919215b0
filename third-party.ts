import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';

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

/** The file beside a bundle that holds the licenses of all packages in it. */
export const NOTICES_FILE = 'THIRD-PARTY-NOTICES.txt';

/**
 * Bundles, and writes beside the bundle the licenses of the packages of which something is in it, with the legal
 * comments of their sources: the bundle itself stays small.
 * @param more notices of what else lies beside the bundle.
 */
export async function buildWithNotices(
  options: BuildOptions & ({ outfile: string } | { outdir: string }),
  more = '',
): Promise<void> {
  const { metafile } = await build({ ...options, legalComments: 'external', metafile: true });
  const bundles = Object.entries(metafile.outputs).filter(([, { entryPoint }]) => entryPoint !== undefined);
  const legal = await Promise.all(bundles.map(([bundle]) => takeComments(`${resolve(bundle)}.LEGAL.txt`)));
  const notices = await noticesOf(metafile, legal.join(''));
  const text = more === '' ? notices : `${notices}${RULE}In the scripts for browsers\n${RULE}${more}`;
  await writeFile(join(dirname(resolve(bundles[0]?.[0] ?? '')), NOTICES_FILE), text);
}

/** The licenses of the packages of which something is in a bundle, and the legal comments of their sources. */
export async function noticesOf({ outputs }: Metafile, legalComments: string): Promise<string> {
  const used = Object.values(outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const packages = new Set(used.flatMap(([input]) => packageOf(resolve(input)) ?? []));
  const notices = await Promise.all([...packages].map(noticeOf));
  return [...notices.sort(), `Legal comments of the sources\n\n${legalComments}`].join(RULE);
}

const RULE = `\n${'-'.repeat(80)}\n\n`;

/** There are none if the sources have none. */
async function takeComments(file: string): Promise<string> {
  const comments = await readFile(file, 'utf8').catch(() => '');
  await rm(file, { force: true });
  return comments;
}

/** The folder of the package that a file belongs to; null for a file of ours. */
function packageOf(file: string): string | null {
  return /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(file.replaceAll('\\', '/'))?.[0] ?? null;
}

async function noticeOf(folder: string): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const { name, version, license } = manifest as { name: string; version: string; license?: string };
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  const text = texts.length === 0 ? NO_TEXT : texts.map((each) => each.trim()).join('\n\n');
  return `${name} ${version}, license ${license}\n\n${text}\n`;
}

const NO_TEXT = 'The package ships no text of its license.';
