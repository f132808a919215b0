import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { table } from '../markdown-table.ts';
import { openBm25s } from './bm25s.ts';
import { commitFiles } from './corpora.ts';
import { corporaDirectory } from './corpora-config.ts';
import { type Engine, openFts5, openMiniSearch, openOurs } from './engines.ts';
import type { Page } from './known-items.ts';
import { type PublicSet, readPublicSets } from './public-sets.ts';
import { scoreRow } from './report.ts';
import { type Answer, METRICS, type Scores, scoresOf } from './scores.ts';

export interface PublicSetReport {
  name: string;
  pages: number;
  /** By engine. */
  scores: Record<string, Scores>;
}

/** `pnpm bench search --public-sets`: sets that lie outside of the repository, where no licence lets them in. */
export async function benchPublicSets(asJson: boolean): Promise<string> {
  const reports: PublicSetReport[] = [];
  for (const set of await readPublicSets(corporaDirectory())) {
    reports.push(await measurePublicSet(set, [bm25sOf(false), bm25sOf(true)]));
  }
  return asJson ? JSON.stringify(reports) : reports.map(reportOf).join('\n');
}

/** Opens an engine beside ours, FTS5 and MiniSearch. */
type OpenOther = (pages: readonly Page[], questions: readonly string[]) => Promise<[name: string, Engine]>;

export async function measurePublicSet(
  set: PublicSet,
  others: readonly OpenOther[] = [],
): Promise<PublicSetReport> {
  const place = await mkdtemp(join(tmpdir(), 'pagetree-public-set-'));
  const engines: [name: string, Engine][] = [];
  try {
    const { pages, ...ours } = await openAsWiki(set, place);
    engines.push(['ours', ours], ['fts5', openFts5(pages)], ['minisearch', openMiniSearch(pages)]);
    const asked = set.questions.map(({ question }) => question);
    for (const open of others) engines.push(await open(pages, asked));
    const scores: Record<string, Scores> = {};
    for (const [name, engine] of engines) scores[name] = await askAll(engine, set);
    return { name: set.name, pages: pages.length, scores };
  } finally {
    for (const [, engine] of engines) await engine.close();
    await rm(place, { recursive: true, force: true });
  }
}

async function openAsWiki({ name, pages }: PublicSet, place: string) {
  const files = join(place, 'files');
  for (const [path, text] of pages) {
    const file = join(files, `${path}.md`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  const wikis = join(place, 'wikis');
  await commitFiles(files, join(wikis, 'wiki.git'));
  return openOurs({ name, language: 'en', files, wikis }, join(place, 'work'));
}

async function askAll(engine: Engine, { questions }: PublicSet): Promise<Scores> {
  const answers: Answer[] = [];
  for (const { question, paths } of questions) {
    answers.push({ found: await engine.search(question), wanted: paths });
  }
  return scoresOf(answers);
}

function bm25sOf(stems: boolean): OpenOther {
  return async (pages, questions) => [
    stems ? 'bm25s, stemmed' : 'bm25s',
    await openBm25s(pages, questions, stems),
  ];
}

export function reportOf({ name, pages, scores }: PublicSetReport): string {
  const rows = Object.entries(scores).map(([engine, each]) => scoreRow(engine, each));
  return `${name}, ${pages} pages; means, and in brackets the interval of 95 % by bootstrap.

${table(['engine', 'questions', ...METRICS], rows)}
`;
}
