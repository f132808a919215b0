import { limits } from '../../contract/limits.ts';
import { countThatFits } from '../reply-budget.ts';
import type { Settled } from './settle.ts';

/** The part of an answer that names the files which moved along with their pages; nothing if there are none. */
export function describeMovedFiles(settled: Settled | null) {
  const rows = [...(settled?.movedFiles ?? [])].map(([from, to]) => ({ path: to, previous_path: from }));
  if (rows.length === 0) return {};
  const shown = countThatFits(rows, limits.replyCharacters - MAX_CHARACTERS);
  return { moved_files: rows.slice(0, shown), moved_files_total: rows.length };
}

const MAX_CHARACTERS = 4_000;
