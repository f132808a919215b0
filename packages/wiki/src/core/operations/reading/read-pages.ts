import { cutError } from '../../../contract/cut-error.ts';
import { toWikiError, WikiError } from '../../../contract/errors.ts';
import { limits } from '../../../contract/limits.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import type { Index } from '../../index-port.ts';
import { requirePage } from '../../pages/find-page.ts';
import { viewPage } from '../../pages/page-view.ts';
import { parsePagePath } from '../../paths/page-path.ts';
import type { Snapshot } from '../../ports.ts';
import { serializedLength } from '../../reply-budget.ts';
import type { Session } from '../../session.ts';

type Row = Output<'read_pages'>['pages'][number];

/** Reads all pages from one commit. The budget that a short page leaves goes to the pages after it. */
export async function readPages(
  { repository, index }: Session,
  input: Input<'read_pages'>,
): Promise<Output<'read_pages'>> {
  const snapshot = await repository.head();
  const pages: Row[] = [];
  let left = limits.replyCharacters - 200;
  for (const [position, path] of input.paths.entries()) {
    const row = await readOne(snapshot, path, index, Math.floor(left / (input.paths.length - position)));
    left -= serializedLength(row) + 1;
    pages.push(row);
  }
  return { commit: snapshot.commit, pages };
}

async function readOne(snapshot: Snapshot, given: string, index: Index, budget: number): Promise<Row> {
  try {
    const path = parsePagePath(given);
    const entry = await requirePage(snapshot, path, index);
    return await viewPage(snapshot, path, entry, { mode: 'content', start_line: 1, start_char: 0 }, budget);
  } catch (error) {
    const { message, code } = toWikiError(error);
    if (!(error instanceof WikiError) || code === 'internal') throw error;
    return { path: given.slice(0, limits.pathCharacters), error: cutError(message, 600) };
  }
}
