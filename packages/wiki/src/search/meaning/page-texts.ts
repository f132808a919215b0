import { WikiError } from '../../contract/errors.ts';
import type { Oid } from '../../contract/ids.ts';
import { pagePathOf } from '../../core/paths/page-path.ts';
import type { Snapshot } from '../../core/ports.ts';
import { findFrontmatter } from '../../core/text/frontmatter/frontmatter.ts';
import { factSteps } from '../../core/text/markdown/page-facts.ts';
import { inTurns } from '../../scheduling/in-turns.ts';
import { readIndexedText } from '../derive.ts';

/**
 * The texts of a page from which its vectors are made; null if they cannot be read. The search goes on without them: by its
 * words it may find the page.
 */
export async function textsUnlessLost(
  snapshot: Snapshot,
  path: string,
  version: Oid,
): Promise<string[] | null> {
  try {
    return await readTexts(snapshot, path, version);
  } catch (error) {
    if (error instanceof WikiError) return null;
    throw error;
  }
}

async function readTexts(snapshot: Snapshot, treePath: string, version: Oid): Promise<string[]> {
  const text = await readIndexedText(snapshot, version);
  const path = pagePathOf(treePath) ?? treePath;
  const { title, frontmatter } = await inTurns(factSteps(path, text));
  const { description } = frontmatter;
  const beginning = [title, path, ...(typeof description === 'string' ? [description] : [])].join('\n');
  return pieces(text.slice(findFrontmatter(text)?.end ?? 0), title, beginning);
}

/**
 * The first pieces of a text, each with the title and the last heading above it. Models take some hundred words, and a
 * vector of too much text is like everything a little.
 */
function pieces(text: string, title: string, beginning: string): string[] {
  const found: string[] = [];
  let piece = beginning;
  let heading = '';
  for (const paragraph of text.slice(0, MAX_PAGE_CHARACTERS).split(/\n\s*\n/)) {
    if (piece.length + paragraph.length > USUAL_CHARACTERS && piece.length > LEAST_CHARACTERS) {
      found.push(piece);
      piece = `${title}\n${heading}`;
    }
    [, heading = heading] = /^#{1,6} +(.*)/.exec(paragraph) ?? [];
    piece += `\n${paragraph}`;
    if (found.length === MAX_PIECES) break;
  }
  return [...found, piece].slice(0, MAX_PIECES).map((each) => each.slice(0, MAX_CHARACTERS).toWellFormed());
}

const MAX_PIECES = 4;
/** Some hundred words. */
const USUAL_CHARACTERS = 800;
const LEAST_CHARACTERS = 200;
const MAX_CHARACTERS = 1_200;
/** Enough for the first pieces. */
const MAX_PAGE_CHARACTERS = 20_000;
