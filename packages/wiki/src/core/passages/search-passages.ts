import { WikiError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { inTurns } from '../../scheduling/in-turns.ts';
import { yielding } from '../../scheduling/yielding.ts';
import type { SearchResult } from '../index-port.ts';
import type { Snapshot } from '../ports.ts';
import { decodeText } from '../text/text-encoding.ts';
import { type ChosenPassages, choosePassages, type Hit } from './choose-passages.ts';
import { type Paragraph, paragraphSteps } from './paragraphs.ts';
import { type RatedParagraph, rankPassages } from './rank-passages.ts';

interface Passages {
  hits: Hit[];
  note: string | null;
  /** Keys of the passages in `hits`. */
  said: string[];
}

/**
 * The best passages of the pages that a search found (`rows`), in so many bytes of JSON, with the note, but for those
 * that an earlier answer had.
 */
export async function searchPassages(
  snapshot: Snapshot,
  rows: readonly Hit[],
  wordsIn: SearchResult['wordsIn'],
  budget: number,
  earlier: ReadonlySet<string>,
): Promise<Passages> {
  const pages: RatedParagraph[][] = [];
  let charactersLeft = MAX_CHARACTERS;
  let paragraphsLeft = MAX_PARAGRAPHS;
  let isUnread = false;
  for (const [at, row] of rows.entries()) {
    const later = rows.length - 1 - at;
    const mostParagraphs = paragraphsLeft - later * PARAGRAPHS_OF_LATER;
    const text = await readPage(snapshot, row);
    const looked = firstLines(text.slice(0, charactersLeft - later * CHARACTERS_OF_LATER));
    const paragraphs = await inTurns(paragraphSteps(looked, mostParagraphs));
    charactersLeft -= looked.length;
    paragraphsLeft -= paragraphs.length;
    isUnread ||= looked.length !== text.length || paragraphs.length === mostParagraphs;
    pages.push(await rate(row, paragraphs, wordsIn));
  }
  const headers = rows.map(({ lines: _, ...header }) => header);
  const bare = successorsAmong(headers).map((header) => ({ ...header, lines: [] }));
  const reserved = bare.reduce((sum, hit) => sum + Buffer.byteLength(JSON.stringify(hit)) + 1, 0);
  const hasRoom = reserved <= budget / 4;
  const room = budget - NOTE_BYTES - (hasRoom ? reserved : 0);
  const chosen = await choosePassages(rankPassages(pages), headers, room, earlier);
  const names = new Set(chosen.hits.flatMap(({ path, superseded_by }) => [path, superseded_by ?? path]));
  const shown = new Set(chosen.hits.map(({ path }) => path));
  const added = hasRoom ? bare.filter(({ path }) => names.has(path) && !shown.has(path)) : [];
  return { hits: [...chosen.hits, ...added], note: noteOf(chosen, isUnread), said: chosen.said };
}

/** The pages that take the place of others here: each is named before those, even if none of its passages fits. */
function successorsAmong<Page extends Omit<Hit, 'lines'>>(pages: readonly Page[]): Page[] {
  const successors = new Set(pages.map((page) => page.superseded_by));
  return pages.filter(({ path }) => successors.has(path));
}

/** Reading more takes over a second. */
const MAX_CHARACTERS = 4_000_000;
/** So much prose has fewer. */
const MAX_PARAGRAPHS = 20_000;

/** Kept for each page that comes later: a page that says a word very often must not hide all others. */
const PARAGRAPHS_OF_LATER = 200;
const CHARACTERS_OF_LATER = 40_000;

/** Prose of that many characters has fewer lines; splitting more of them takes too long at once. */
const MAX_LINES = 100_000;

function firstLines(text: string): string {
  let end = 0;
  for (let line = 0; line < MAX_LINES; line += 1) {
    end = text.indexOf('\n', end) + 1;
    if (end === 0) return text;
  }
  return text.slice(0, end);
}

/** The text as it is indexed: a page from native git may be larger than any that is written here. */
async function readPage(snapshot: Snapshot, { version }: Hit): Promise<string> {
  try {
    return decodeText((await snapshot.blob(version)).subarray(0, limits.pageBytes)).text;
  } catch (error) {
    if (error instanceof WikiError && error.code === 'too_large') return '';
    throw error;
  }
}

async function rate(
  { title }: Hit,
  paragraphs: readonly Paragraph[],
  wordsIn: SearchResult['wordsIn'] = () => new Set(),
): Promise<RatedParagraph[]> {
  const byHeading = new Map<string, ReadonlySet<number>>();
  const rated: RatedParagraph[] = [];
  const yieldIfDue = yielding();
  for (const paragraph of paragraphs) {
    await yieldIfDue();
    const { heading, text } = paragraph;
    const headingWords = byHeading.get(heading) ?? wordsIn(`${title}\n${heading}`);
    byHeading.set(heading, headingWords);
    rated.push({ ...paragraph, words: wordsIn(text), headingWords });
  }
  return rated;
}

/** Room for every sentence of the note. */
const NOTE_BYTES = 500;

function noteOf({ folded, repeated, leftOut, isCut }: ChosenPassages, isUnread: boolean): string | null {
  const sentences = [
    ...(isCut ? ['The best passage alone is larger than max_bytes: it is cut, and ends with "…".'] : []),
    ...(folded > 0 ? [`${passages(folded)} the same as one here; \`also\` names their pages.`] : []),
    ...(repeated > 0 ? [`${passages(repeated)} the same as one of an earlier answer.`] : []),
    ...(leftOut > 0 ? [`${passages(leftOut)} left out: give a larger max_bytes, or read their pages.`] : []),
    ...(isUnread ? ['These pages are too long: only parts of them were searched for passages.'] : []),
  ];
  return sentences.length === 0 ? null : sentences.join(' ');
}

function passages(count: number): string {
  return count === 1 ? '1 more passage is' : `${count} more passages are`;
}
