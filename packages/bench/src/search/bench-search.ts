import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPrograms } from '../../../../labs/requirements.ts';
import { readOptions } from '../options.ts';
import { benchPublicSets } from './bench-public-sets.ts';
import { type Corpora, unpackCorpora } from './corpora.ts';
import { withEmbedder } from './embedder.ts';
import { type Engine, openFts5, openMiniSearch, openOurs, openRipgrep } from './engines.ts';
import { drawKnownItems, type KnownItem, type KnownItems } from './known-items.ts';
import { type Half, type Question, readQuestions } from './questions.ts';
import {
  type EngineName,
  type ItemScores,
  type KnownItemReport,
  meaningReport,
  type QuestionReport,
  reportOf,
} from './report.ts';
import { type Answer, type Scores, scoresOf } from './scores.ts';

/** `pnpm bench search [--held-back] [--public-sets | --meaning] [--json]`. The public sets, and meaning, are measured alone. */
export async function benchSearch(args: readonly string[]): Promise<string> {
  const values = readOptions('search', args, {
    'held-back': { type: 'boolean', default: false },
    'public-sets': { type: 'boolean', default: false },
    meaning: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  });
  if (values['public-sets']) return benchPublicSets(values.json);
  const half = values['held-back'] ? 'held-back' : 'working';
  if (values.meaning) return benchMeaning(half === 'working' ? [half] : ['working', half], values.json);
  await installPrograms({ rg: 'ripgrep' });
  return withCorpora(async (corpora, work) => {
    const questions = await measureQuestions(corpora, work, half);
    const knownItems = await measureKnownItems(corpora, work);
    return values.json ? JSON.stringify({ questions, knownItems }) : reportOf(questions, knownItems);
  });
}

/** Our engine alone, on the working half of the questions and on a sample of the known items. */
export async function sampleSearch(): Promise<{
  questions: Record<string, Scores>;
  knownItems: { corpus: string; scores: ItemScores }[];
}> {
  return withCorpora(async (corpora, work) => {
    const answers: Answers = {};
    for (const corpus of corpora.whole) {
      const ours = await openOurs(corpus, work);
      await askQuestions(
        ours,
        questionsOf(await readQuestions(corpus.name), 'working'),
        corpus.name,
        answers,
      );
      await ours.close();
    }
    const knownItems = [];
    for (const corpus of corpora.apart) {
      const ours = await openOurs(corpus, work);
      const items = drawKnownItems(ours.pages, corpus.language, SEED);
      knownItems.push({ corpus: corpus.name, scores: await askKnownItems(ours, thinned(items)) });
      await ours.close();
    }
    return { questions: groupScores(answers), knownItems };
  });
}

async function withCorpora<Result>(measure: (corpora: Corpora, work: string) => Promise<Result>) {
  const place = await mkdtemp(join(tmpdir(), 'pagetree-search-'));
  try {
    return await measure(await unpackCorpora(place), join(place, 'work'));
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/**
 * Ours by words alone, and with the vectors of a model that runs here, which takes most of the time. So the held-back half
 * is asked besides the working one.
 */
async function benchMeaning(halves: readonly Half[], asJson: boolean): Promise<string> {
  const asked = halves.map((half) => ({ half, words: {} as Answers, vectors: {} as Answers }));
  await withEmbedder((embedder) =>
    withCorpora(async ({ whole }, work) => {
      for (const corpus of whole) {
        const questions = await readQuestions(corpus.name);
        for (const kind of ['words', 'vectors'] as const) {
          const engine = await openOurs(corpus, work, kind === 'words' ? undefined : embedder);
          for (const each of asked) {
            await askQuestions(engine, questionsOf(questions, each.half), corpus.name, each[kind]);
          }
          await engine.close();
        }
      }
    }),
  );
  const scored = asked.map(({ half, words, vectors }) => ({
    half,
    scores: { 'by words': groupScores(words), 'with vectors': groupScores(vectors) },
  }));
  return asJson
    ? JSON.stringify(scored)
    : scored.map(({ half, scores }) => meaningReport(half, scores)).join('\n');
}

async function measureQuestions({ whole }: Corpora, work: string, half: Half): Promise<QuestionReport> {
  const answers: Record<EngineName, Answers> = { ours: {}, fts5: {}, minisearch: {}, ripgrep: {} };
  for (const corpus of whole) {
    const questions = questionsOf(await readQuestions(corpus.name), half);
    const ours = await openOurs(corpus, work);
    const engines = { ours, ...(await othersFor(ours.pages, corpus.files)) };
    for (const [name, engine] of entriesOf(engines)) {
      await askQuestions(engine, questions, corpus.name, answers[name]);
      await engine.close();
    }
  }
  const scored = entriesOf(answers).map(([name, each]) => [name, groupScores(each)]);
  return { half, engines: Object.fromEntries(scored) as QuestionReport['engines'] };
}

async function measureKnownItems({ apart }: Corpora, work: string): Promise<KnownItemReport[]> {
  const reports: KnownItemReport[] = [];
  for (const corpus of apart) {
    const ours = await openOurs(corpus, work);
    const { pages } = ours;
    const items = drawKnownItems(pages, corpus.language, SEED);
    const others = await othersFor(pages, corpus.files);
    const engines = {
      ours: await askKnownItems(ours, items),
      fts5: await askKnownItems(others.fts5, items),
      minisearch: await askKnownItems(others.minisearch, items),
      // ripgrep takes a process for each question.
      ripgrep: await askKnownItems(others.ripgrep, thinned(items)),
    };
    for (const engine of [ours, ...Object.values(others)]) await engine.close();
    reports.push({ corpus: corpus.name, pages: pages.length, engines });
  }
  return reports;
}

async function othersFor(pages: Parameters<typeof openFts5>[0], files: string) {
  return { fts5: openFts5(pages), minisearch: openMiniSearch(pages), ripgrep: openRipgrep(files) };
}

/** By group. */
type Answers = Record<string, Answer[]>;

async function askQuestions(
  engine: Engine,
  questions: readonly Question[],
  corpus: string,
  answers: Answers,
): Promise<void> {
  for (const { question, paths, language } of questions) {
    const group = corpus === 'i18n-docs' ? language : corpus;
    answers[group] ??= [];
    answers[group].push({ found: await engine.search(question), wanted: paths });
  }
}

function groupScores(answers: Answers): Record<string, Scores> {
  const scored = Object.entries(answers).map(([group, each]) => [group, scoresOf(each)]);
  return { ...Object.fromEntries(scored), all: scoresOf(Object.values(answers).flat()) };
}

async function askKnownItems(engine: Engine, items: KnownItems): Promise<ItemScores> {
  const ask = async (each: readonly KnownItem[]) => {
    const answers: Answer[] = [];
    for (const { query, path } of each) answers.push({ found: await engine.search(query), wanted: [path] });
    return scoresOf(answers);
  };
  return {
    titles: await ask(items.titles),
    rareWords: await ask(items.rareWords),
    misspeltTitles: await ask(items.misspeltTitles),
  };
}

function questionsOf(questions: readonly Question[], half: Half): Question[] {
  return questions.filter((question) => question.half === half);
}

function entriesOf<Key extends string, Value>(record: Record<Key, Value>): [Key, Value][] {
  return Object.entries(record) as [Key, Value][];
}

const SEED = 20_261_120;

function thinned({ titles, rareWords, misspeltTitles }: KnownItems): KnownItems {
  const some = (items: readonly KnownItem[]) => {
    const step = Math.ceil(items.length / SAMPLED);
    return items.filter((_, at) => at % step === 0);
  };
  return { titles: some(titles), rareWords: some(rareWords), misspeltTitles: some(misspeltTitles) };
}

const SAMPLED = 60;
