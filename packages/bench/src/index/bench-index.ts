import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { heapLimits } from '../../../../labs/lambda-lab/runtime-process.ts';
import { cached, installPrograms } from '../../../../labs/requirements.ts';
import { buildWiki } from '../../../../labs/wikis/build-wiki.ts';
import { changedPage, pagePath } from '../../../../labs/wikis/wiki-text.ts';
import { readOptions } from '../options.ts';
import { calibrate } from './measure.ts';
import { measureFts5, measureGit, measureRipgrep } from './native-engines.ts';
import { drawQuestions, type Questions } from './questions.ts';
import { type IndexReport, reportOf } from './report.ts';
import { measureCatchUp, measureWiki, openBenchmarked } from './wiki-engine.ts';

/** `pnpm bench index [--pages N] [--json]`: the index beside native git, ripgrep and FTS5, on a made-up wiki. */
export async function benchIndex(args: readonly string[]): Promise<string> {
  const values = readOptions('index', args, {
    pages: { type: 'string', default: '10000' },
    json: { type: 'boolean', default: false },
  });
  const pages = Number(values.pages);
  if (!Number.isInteger(pages) || pages < 100) throw new Error('--pages takes a number from 100 on.');
  const report = await measureIndex(pages);
  return values.json ? JSON.stringify(report) : reportOf(report);
}

/** Builds a wiki of so many pages and commits, once, and measures on a copy of it. */
export async function measureIndex(pages: number): Promise<IndexReport> {
  const place = await mkdtemp(join(tmpdir(), 'pagetree-bench-index-'));
  try {
    return await measure(pages, place);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

async function measure(pages: number, place: string): Promise<IndexReport> {
  await installPrograms({ rg: 'ripgrep', git: 'git' });
  const shape = { pages, commits: pages };
  const built = await cached('wiki', JSON.stringify(shape), (directory) =>
    buildWiki(join(directory, 'wiki.git'), shape),
  );
  const [wikis, work, checkout] = [join(place, 'wikis'), join(place, 'work'), join(place, 'checkout')];
  await mkdir(wikis);
  const repository = join(wikis, 'wiki.git');
  await cp(join(built, 'wiki.git'), repository, { recursive: true });
  await git('clone', '--quiet', repository, checkout);

  const sample: { path: string; text: string }[] = [];
  for (let commit = 1; commit <= questions; commit++) {
    const path = pagePath(shape, changedPage(shape, commit));
    sample.push({ path, text: await git('-C', repository, 'show', `HEAD:${path}`) });
  }
  const asked = drawQuestions(sample, 7);

  const calibration_ms = await calibrate();
  const build = await coldStart(wikis, work, asked);
  const cold = await coldStart(wikis, work, asked);
  const opened = await openBenchmarked(wikis, work);
  try {
    const ours = await measureWiki(opened, asked);
    const fewer = pages > 20_000 ? 8 : 20;
    const gitTimes = await measureGit(repository, asked, fewer);
    const ripgrep = await measureRipgrep(checkout, asked, fewer);
    const fts5 = await measureFts5(checkout, join(place, 'fts5.sqlite'), asked);
    const catchUp = await measureCatchUp(opened, asked.pages.slice(0, 30));
    return {
      pages,
      calibration_ms,
      engines: { ours, git: gitTimes, ripgrep, fts5 },
      catch_up: catchUp,
      build,
      cold,
      snapshot_bytes: await sizeOfNewest(join(repository, 'pagetree', 'index')),
    };
  } finally {
    await opened.close();
  }
}

const questions = 60;
const execute = promisify(execFile);

async function git(...args: string[]): Promise<string> {
  return (await execute('git', args, { maxBuffer: 2 ** 30 })).stdout;
}

async function coldStart(
  wikis: string,
  work: string,
  { words: [query = ''], pages: [treePath = ''] }: Questions,
): Promise<IndexReport['cold']> {
  const program = fileURLToPath(new URL('./cold-start.ts', import.meta.url));
  const { stdout } = await execute(process.execPath, [
    ...heapLimits(512),
    program,
    wikis,
    work,
    query,
    treePath.replace(/\.md$/, ''),
  ]);
  return JSON.parse(stdout) as IndexReport['cold'];
}

async function sizeOfNewest(directory: string): Promise<number> {
  const newest = (await readdir(directory)).sort().at(-1) ?? '';
  return (await stat(join(directory, newest))).size;
}
