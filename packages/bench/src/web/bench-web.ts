import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openWiki } from '@pagetree/wiki';
import { callOperation } from '@pagetree/wiki/contract';
import { cached } from '../../../../labs/requirements.ts';
import { buildWiki } from '../../../../labs/wikis/build-wiki.ts';
import { pagePath, pageText } from '../../../../labs/wikis/wiki-text.ts';
import { readOptions } from '../options.ts';
import { largePage } from './large-page.ts';
import { measureFunctions } from './measure-functions.ts';
import { measurePaints } from './measure-paint.ts';
import { measureSites } from './measure-site.ts';
import { type Measured, reportWeb } from './report-web.ts';
import { servePagetree } from './served.ts';
import { tryOtterwiki } from './try-otterwiki.ts';

const git = promisify(execFile);

/**
 * `pnpm bench web [--pages N] [--runs N] [--functions]`: pages in the browser, beside otterwiki with the same ones, and in
 * Chromium as a phone shows them, from a server and from cold and warm functions; with `--functions` from these alone.
 */
export async function benchWeb(args: readonly string[]): Promise<string> {
  const values = readOptions('web', args, {
    pages: { type: 'string', default: '10000' },
    runs: { type: 'string', default: '60' },
    functions: { type: 'boolean', default: false },
  });
  const [pages, runs] = [Number(values.pages), Number(values.runs)];
  if (!(Number.isInteger(pages) && pages > 0)) throw new Error('--pages takes a whole number above 0.');
  if (!(Number.isInteger(runs) && runs > 0)) throw new Error('--runs takes a whole number above 0.');
  return reportWeb(await measureWeb(pages, runs, values.functions), pages, runs);
}

export async function measureWeb(pages: number, runs: number, isOnlyFunctions = false): Promise<Measured> {
  const place = await mkdtemp(join(tmpdir(), 'pagetree-bench-web-'));
  const shape = { pages, commits: pages };
  const [wikis, work] = [join(place, 'wikis'), join(place, 'otterwiki')];
  const stops: (() => Promise<void>)[] = [];
  try {
    const built = await cached('wiki', JSON.stringify(shape), (directory) =>
      buildWiki(join(directory, 'wiki.git'), shape),
    );
    await mkdir(wikis);
    await cp(join(built, 'wiki.git'), join(wikis, 'main.git'), { recursive: true });
    const host = { backend: 'local', versions: {}, problems: [] };
    const opened = await openWiki({ directory: wikis, wiki: 'main', placement: 'local', host });
    stops.push(() => opened.close());
    const write = (input: { path: string; content: string; version?: string }) =>
      callOperation(opened.wiki, 'write_page', input, { caller: WRITER }) as Promise<{ version: string }>;
    const links = Array.from({ length: 60 }, (_, at) => treePath(at * 7).replace(/\.md$/, ''));
    const texts = LARGE.map((_, at) => largePage(at, links));
    const versions: string[] = [];
    for (const [at, path] of LARGE.entries())
      versions.push((await write({ path, content: texts[at] ?? '' })).version);
    await opened.settle();
    await git('git', ['clone', '--quiet', join(wikis, 'main.git'), work]);

    const times = Math.ceil(runs / RUNS_PER_VISIT);
    const shownPages = LARGE.map((path) => `/main/${path}`);
    const measureServers = async () => {
      const pagetree = await servePagetree(wikis);
      stops.unshift(pagetree.stop);
      const otterwiki = await tryOtterwiki(work, LARGE);
      if (otterwiki.site !== null) stops.unshift(otterwiki.site.stop);
      let changes = 0;
      const change = async (page: number) => {
        changes += 1;
        const [path = '', text = ''] = [LARGE[page], texts[page]];
        const shown = `Changed ${changes} times.`;
        const content = text.replace('## Section 5\n', `## Section 5\n\n${shown}\n`);
        versions[page] = (await write({ path, content, version: versions[page] ?? '' })).version;
        if (otterwiki.site === null) return shown;
        await writeFile(join(work, `${path}.md`), content);
        await git('git', ['-C', work, ...IDENTITY, 'commit', '--quiet', '-am', `Change ${changes}`]);
        return shown;
      };
      const figures = await measureSites(
        [
          {
            ...pagetree,
            name: 'Pagetree',
            pages: shownPages,
            searchFor: (words) => `/_/main/search?q=${encodeURIComponent(words)}`,
          },
          ...(otterwiki.site === null ? [] : [otterwiki.site]),
        ],
        { runs, change, queries: queriesOf(Math.min(20, runs)) },
      );
      // Otherwise it would share the processors with the browser.
      await otterwiki.site?.stop();
      const paints = await measurePaints(pagetree.origin, shownPages, times);
      await pagetree.stop();
      return { figures, paints, leftOut: otterwiki.leftOut };
    };
    const servers = isOnlyFunctions ? { figures: [], paints: [], leftOut: [] } : await measureServers();
    await opened.settle();
    // A copy: functions keep a wiki for themselves. The links of the commit chain name commits, not files.
    await cp(wikis, join(place, 'functions'), { recursive: true, verbatimSymlinks: true });
    const measured = await measureFunctions(join(place, 'functions'), shownPages, times);
    return { ...servers, ...measured, leftOut: [...servers.leftOut, ...measured.leftOut] };
  } finally {
    for (const stop of stops) await stop();
    await rm(place, { recursive: true, force: true });
  }

  function treePath(page: number): string {
    return pagePath(shape, page % pages);
  }

  /** Two words each that stand on one page. */
  function queriesOf(count: number): string[] {
    return Array.from({ length: count }, (_, at) => {
      const words = pageText(shape, (at * 131) % pages, 0).match(/[a-z]{5,}/g) ?? [];
      return `${words[20]} ${words[90]}`;
    });
  }
}

/** A visit in the browser takes seconds. */
const RUNS_PER_VISIT = 10;
const LARGE = Array.from({ length: 6 }, (_, at) => `Large-${at}`);
const WRITER = { author: { name: 'Writer', email: 'writer@example.org' }, agent: 'bench/1' };
const IDENTITY = ['-c', 'user.name=Writer', '-c', 'user.email=writer@example.org'];
