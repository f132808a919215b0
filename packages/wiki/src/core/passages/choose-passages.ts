import type { Output } from '../../contract/operations.ts';
import { yielding } from '../../scheduling/yielding.ts';
import { PASSAGE_KEY_BYTES, passageKeyOf } from '../cursor.ts';
import { beginningOf } from './beginning-of.ts';
import type { RankedPassage } from './rank-passages.ts';
import { wordsSaid } from './said-alike.ts';

export type Hit = Output<'search_pages'>['hits'][number];
type Passage = Hit['lines'][number];

export interface ChosenPassages {
  /** In the order of the best passage of each page; the passages of a page in the order of the page. */
  hits: Hit[];
  /** The number of passages that say the same as one that is in `hits`. */
  folded: number;
  /** The number of passages that say the same as one of an earlier answer. */
  repeated: number;
  /** The number of passages that did not fit. */
  leftOut: number;
  /** True if the best passage alone did not fit and is cut. */
  isCut: boolean;
  /** Keys of what the passages say. */
  said: string[];
}

/**
 * The best passages that fit into so many bytes of JSON, with what they add to the cursor. A passage that does not fit is left out, and smaller
 * ones after it may follow; only if the very best one does not fit, it is cut.
 */
export async function choosePassages(
  ranked: readonly RankedPassage[],
  pages: readonly Omit<Hit, 'lines'>[],
  budget: number,
  earlier: ReadonlySet<string> = new Set(),
): Promise<ChosenPassages> {
  const chosen: { page: number; passage: Passage }[] = [];
  const bySaid = new Map<string, { page: number; passage: Passage }>();
  const taken = new Set<number>();
  let left = budget;
  let [folded, repeated] = [0, 0];
  let isCut = false;
  const tried = inTurnOfPages(ranked).slice(0, MAX_TRIED);
  const yieldIfDue = yielding();
  for (const { page, paragraph } of tried) {
    await yieldIfDue();
    const said = wordsSaid(paragraph.text);
    const same = bySaid.get(said);
    const row = pages[page] as Omit<Hit, 'lines'>;
    if (same !== undefined) {
      folded += 1;
      if (same.page !== page) left -= addCopy(same.passage, row.path, left);
      continue;
    }
    if (earlier.has(passageKeyOf(said))) {
      repeated += 1;
      continue;
    }
    const { heading, line, text } = paragraph;
    const passage: Passage = { line, text, ...(heading !== '' && { heading }) };
    const around = taken.has(page) ? 0 : bytesOf({ ...row, lines: [] });
    const beside = around + PASSAGE_KEY_BYTES;
    if (chosen.length === 0 && beside + bytesOf(passage) > left) {
      passage.text = beginningOf(text, left - beside - bytesOf({ ...passage, text: '' }));
      isCut = passage.text !== '';
      if (!isCut) continue;
    }
    if (beside + bytesOf(passage) > left) continue;
    left -= beside + bytesOf(passage);
    taken.add(page);
    chosen.push({ page, passage });
    bySaid.set(said, { page, passage });
  }
  const hits = [...taken].map((page) => {
    const lines = chosen.filter((each) => each.page === page).map(({ passage }) => passage);
    return { ...(pages[page] as Omit<Hit, 'lines'>), lines: lines.sort((a, b) => a.line - b.line) };
  });
  const leftOut = ranked.length - chosen.length - folded - repeated;
  return { hits, folded, repeated, leftOut, isCut, said: [...bySaid.keys()].map(passageKeyOf) };
}

/** Each further passage of a page counts for less, so that a page that says much leaves room for others. */
function inTurnOfPages(ranked: readonly RankedPassage[]): RankedPassage[] {
  const counts = new Map<number, number>();
  const weighed = ranked.map((passage) => {
    const before = counts.get(passage.page) ?? 0;
    counts.set(passage.page, before + 1);
    return { passage, score: passage.score * FURTHER_SHARE ** before };
  });
  return weighed.sort((a, b) => b.score - a.score).map(({ passage }) => passage);
}

const FURTHER_SHARE = 0.85;

/** Names the page of a copy if there is room. Returns the bytes that it takes. */
function addCopy(passage: Passage, path: string, left: number): number {
  const also = passage.also ?? [];
  if (also.includes(path) || also.length >= MAX_NAMED) return 0;
  const before = bytesOf(passage);
  const after = bytesOf({ ...passage, also: [...also, path] });
  if (after - before > left) return 0;
  passage.also = [...also, path];
  return after - before;
}

/** The bytes of a value in the answer, and of the comma after it. */
function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value)) + 1;
}

/** Looking at all of them would take long if a word is on every line of long pages. */
const MAX_TRIED = 300;
const MAX_NAMED = 5;
