import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPrograms } from '../../../../labs/requirements.ts';
import { unpackCorpora } from './corpora.ts';
import { type Engine, openMiniSearch, openOurs, openRipgrep } from './engines.ts';
import { drawKnownItems, type KnownItem, type KnownItems } from './known-items.ts';

/** Of 100 questions, how many find their page among the first ten, and how many there were. */
export interface Found {
  questions: number;
  of100: number;
}

export interface Quality {
  corpus: string;
  pages: number;
  engines: Record<'ours' | 'minisearch' | 'ripgrep', Record<keyof KnownItems, Found>>;
}

/** Looks for known pages in every corpus with every engine. The same seed asks the same. */
export async function measureSearchQuality(seed: number): Promise<Quality[]> {
  await installPrograms({ rg: 'ripgrep' });
  const place = await mkdtemp(join(tmpdir(), 'pagetree-search-quality-'));
  try {
    const results: Quality[] = [];
    for (const corpus of await unpackCorpora(place)) {
      const ours = await openOurs(corpus, join(place, 'work'));
      const items = drawKnownItems(ours.pages, corpus.language, seed);
      results.push({
        corpus: corpus.name,
        pages: ours.pages.length,
        engines: {
          ours: await ask(ours, items),
          minisearch: await ask(openMiniSearch(ours.pages), items),
          ripgrep: await ask(openRipgrep(corpus.files), thinned(items)),
        },
      });
      await ours.close();
    }
    return results;
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** `pnpm bench search-quality [--json]`. */
export async function benchSearchQuality(args: readonly string[]): Promise<string> {
  const results = await measureSearchQuality(qualitySeed);
  return args.includes('--json') ? JSON.stringify(results) : tableOf(results);
}

export const qualitySeed = 20_261_120;

/** A process for each question takes its time, so ripgrep is asked only some. */
function thinned({ titles, rareWords, misspeltTitles }: KnownItems): KnownItems {
  const some = (items: readonly KnownItem[]) => {
    const step = Math.ceil(items.length / mostForRipgrep);
    return items.filter((_, at) => at % step === 0);
  };
  return { titles: some(titles), rareWords: some(rareWords), misspeltTitles: some(misspeltTitles) };
}

const mostForRipgrep = 60;

async function ask(engine: Engine, items: KnownItems): Promise<Record<keyof KnownItems, Found>> {
  return {
    titles: await share(engine, items.titles),
    rareWords: await share(engine, items.rareWords),
    misspeltTitles: await share(engine, items.misspeltTitles),
  };
}

async function share(engine: Engine, items: readonly KnownItem[]): Promise<Found> {
  let found = 0;
  for (const { query, path } of items) if ((await engine.search(query)).includes(path)) found += 1;
  return { questions: items.length, of100: Math.round((1_000 * found) / items.length) / 10 };
}

function tableOf(results: readonly Quality[]): string {
  const rows = results.map(({ corpus, pages, engines }) => {
    const cells = (['titles', 'rareWords', 'misspeltTitles'] as const).map((kind) => {
      const [ours, minisearch, ripgrep] = [engines.ours, engines.minisearch, engines.ripgrep].map(
        (engine) => engine[kind].of100,
      );
      return `**${ours}** / ${minisearch} / ${ripgrep} (${engines.ours[kind].questions})`;
    });
    return `| ${corpus} | ${pages} | ${cells.join(' | ')} |`;
  });
  return `Found among the first ten, of 100: ours / MiniSearch / ripgrep (number of questions).

| corpus | pages | titles | three rare words | titles with one wrong letter |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
`;
}
