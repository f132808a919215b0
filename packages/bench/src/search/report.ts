import { table } from '../markdown-table.ts';
import type { KnownItems } from './known-items.ts';
import type { Half } from './questions.ts';
import { type Estimate, METRICS, type Scores } from './scores.ts';

export type EngineName = 'ours' | 'fts5' | 'minisearch' | 'ripgrep';

/** The scores of an engine by kind of known item. */
export type ItemScores = Record<keyof KnownItems, Scores>;

export interface KnownItemReport {
  corpus: string;
  pages: number;
  engines: Record<EngineName, ItemScores>;
}

/** `groups`: by language, or by corpus if a corpus has one language; and `all`. */
export interface QuestionReport {
  half: Half;
  engines: Record<EngineName, Record<string, Scores>>;
}

/** As Markdown. */
export function reportOf(questions: QuestionReport, knownItems: readonly KnownItemReport[]): string {
  return `${questionTables(questions)}\n${knownItemTable(knownItems)}`;
}

function questionTables({ half, engines }: QuestionReport): string {
  const tableOf = (what: string, named: [string, Scores | undefined][]) =>
    table(
      [what, 'questions', ...METRICS],
      named.flatMap(([name, scores]) => (scores === undefined ? [] : [scoreRow(name, scores)])),
    );
  return `Questions as people ask them, the ${half} half; means, and in brackets the interval of 95 % by bootstrap.

${tableOf(
  'engine',
  ENGINES.map((name) => [name, engines[name].all]),
)}

Ours, by language or corpus:

${tableOf(
  'group',
  Object.entries(engines.ours).filter(([group]) => group !== 'all'),
)}
`;
}

/** `scores` by engine, then by group. */
export function meaningReport(half: Half, scores: Record<string, Record<string, Scores>>): string {
  const rows = Object.entries(scores).flatMap(([engine, groups]) =>
    Object.entries(groups).map(([group, each]) => scoreRow(`${group}, ${engine}`, each)),
  );
  return `Questions as people ask them, the ${half} half; means, and in brackets the interval of 95 % by bootstrap.

${table(
  ['group and engine', 'questions', ...METRICS],
  rows.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
)}
`;
}

/** The row of a table: a name, the number of questions, and each metric with its interval. */
export function scoreRow(name: string, scores: Scores): (string | number)[] {
  return [name, scores.questions, ...METRICS.map((metric) => withInterval(scores[metric]))];
}

function knownItemTable(reports: readonly KnownItemReport[]): string {
  const rows = reports.map(({ corpus, pages, engines }) => {
    const cells = KINDS.map((kind) => {
      const shares = ENGINES.map((name) => engines[name][kind].MRR.mean.toFixed(3));
      const ours = engines.ours[kind];
      return `**${shares[0]}** / ${shares.slice(1).join(' / ')}; ${percent(ours['success@10'].mean)} (${ours.questions})`;
    });
    return [corpus, pages, ...cells];
  });
  return `Known pages: MRR of ${ENGINES.join(' / ')}; of 100 how many ours has among the first ten (number of questions).

${table(['corpus', 'pages', 'titles', 'three rare words', 'titles with one wrong letter'], rows)}
`;
}

const ENGINES: EngineName[] = ['ours', 'fts5', 'minisearch', 'ripgrep'];
const KINDS: (keyof ItemScores)[] = ['titles', 'rareWords', 'misspeltTitles'];

function withInterval({ mean, low, high }: Estimate): string {
  return `${mean.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}

function percent(share: number): number {
  return Math.round(1_000 * share) / 10;
}
