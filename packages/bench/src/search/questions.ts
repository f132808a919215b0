import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A question as a person asks it, and the pages that answer it. */
export interface Question {
  /** Work is done by one half; the other half is looked at when the work is done. */
  half: Half;
  language: string;
  question: string;
  paths: string[];
}

export type Half = 'working' | 'held-back';

/** The questions about a corpus, one JSON object a line. */
export async function readQuestions(corpus: string): Promise<Question[]> {
  const text = await readFile(join(import.meta.dirname, 'questions', `${corpus}.jsonl`), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Question);
}

/** The half that a question belongs to: its hash decides, so that nobody chooses. */
export function halfOf(question: string): Half {
  const [first = 0] = createHash('sha256').update(question).digest();
  return first % 2 === 0 ? 'working' : 'held-back';
}
