import type { Oid } from '../contract/ids.ts';
import { limits } from '../contract/limits.ts';
import type { Snapshot, TreeEntry } from '../core/ports.ts';
import { factsOf, type PageFacts } from '../core/text/page-facts.ts';
import { decodeText } from '../core/text/text-encoding.ts';
import { type PageWords, wordsOf } from './page-words.ts';

/** All that the index keeps of a page at one commit. */
export interface IndexedPage {
  path: string;
  treePath: string;
  blob: Oid;
  size: number;
  facts: PageFacts;
  words: PageWords;
}

export async function derivePage(snapshot: Snapshot, path: string, entry: TreeEntry): Promise<IndexedPage> {
  const content = await snapshot.blob(entry.oid);
  const text = indexedText(content);
  const facts = factsOf(path, text);
  return {
    path,
    treePath: entry.path,
    blob: entry.oid,
    size: content.length,
    facts,
    words: wordsOf(path, text, facts),
  };
}

/** The words of a page at an earlier blob, as they went into the index. */
export async function deriveWords(snapshot: Snapshot, path: string, blob: Oid): Promise<PageWords> {
  const text = indexedText(await snapshot.blob(blob));
  return wordsOf(path, text, factsOf(path, text));
}

/** A page that came from elsewhere may be larger than any that is written here: of it, so much is indexed. */
function indexedText(content: Uint8Array): string {
  return decodeText(content.subarray(0, limits.pageBytes)).text;
}
