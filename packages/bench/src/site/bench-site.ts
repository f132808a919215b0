import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { cached } from '../../../../labs/requirements.ts';
import { buildWiki } from '../../../../labs/wikis/build-wiki.ts';
import { table } from '../markdown-table.ts';
import { readOptions } from '../options.ts';
import { unpackCorpora } from '../search/corpora.ts';
import { exportWithMdBook, exportWithPagetree, MDBOOK, type MeasuredSite } from './measure-export.ts';

/**
 * `pnpm bench site [--pages N]`: the static sites of i18n-docs, foam-docs and a made-up wiki, each beside that of mdBook with
 * the same pages.
 */
export async function benchSite(args: readonly string[]): Promise<string> {
  const values = readOptions('site', args, { pages: { type: 'string', default: '10000' } });
  const pages = Number(values.pages);
  if (!(Number.isInteger(pages) && pages > 0)) throw new Error('--pages takes a whole number above 0.');
  const place = await mkdtemp(join(tmpdir(), 'pagetree-bench-site-'));
  try {
    const rows: (string | number)[][] = [];
    const add = (name: string, site: string, measured: MeasuredSite) => {
      const row = [name, site, ...cellsOf(measured)];
      rows.push(row);
      // All of them take many minutes.
      process.stderr.write(`${row.join(' | ')}\n`);
    };
    for (const { name, wikis } of await makeWikis(place, pages)) {
      add(name, 'Pagetree', await exportWithPagetree(wikis, join(place, 'site')));
      add(name, `mdBook ${MDBOOK}`, await exportWithMdBook(wikis, join(place, 'book')));
    }
    const load = loadavg()[0]?.toFixed(1);
    return `${cpus().length} processors, load ${load}.\n\n${table(HEAD, rows)}`;
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

async function makeWikis(place: string, pages: number): Promise<{ name: string; wikis: string }[]> {
  const { whole } = await unpackCorpora(place);
  const shape = { pages, commits: pages };
  const built = await cached('wiki', JSON.stringify(shape), (directory) =>
    buildWiki(join(directory, 'wiki.git'), shape),
  );
  const wikis = join(place, 'wikis', 'made-up');
  await mkdir(wikis, { recursive: true });
  await cp(join(built, 'wiki.git'), join(wikis, 'wiki.git'), { recursive: true });
  return [...whole.toReversed(), { name: 'made up', wikis }];
}

const HEAD = [
  'wiki',
  'site by',
  'pages',
  'seconds',
  'of processors',
  'peak memory, MB',
  'all files, MB',
  'of these the program, kB',
  'index, MB',
  'of it a first query loads, kB: median (most)',
];

function cellsOf(site: MeasuredSite): (string | number)[] {
  return [
    site.pages,
    site.seconds.toFixed(0),
    site.processorSeconds.toFixed(0),
    megabytes(site.peakBytes, 0),
    megabytes(site.bytes),
    (site.programBytes / 1e3).toFixed(0),
    megabytes(site.indexBytes),
    `${(site.queryBytes.median / 1e3).toFixed(0)} (${(site.queryBytes.most / 1e3).toFixed(0)})`,
  ];
}

function megabytes(bytes: number, digits = 1): string {
  return (bytes / 1e6).toFixed(digits);
}
