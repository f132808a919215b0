import { cutError } from '../../../contract/cut-error.ts';
import { toWikiError, WikiError } from '../../../contract/errors.ts';
import { limits } from '../../../contract/limits.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import { conflictNotices } from '../../merging/describe-conflict.ts';
import { requirePage } from '../../pages/find-page.ts';
import { viewPage } from '../../pages/page-view.ts';
import { parsePagePath } from '../../paths/page-path.ts';
import type { Snapshot } from '../../ports.ts';
import { serializedLength } from '../../reply-budget.ts';
import type { Session } from '../../session.ts';

type Row = Output<'read_pages'>['pages'][number];

/** Reads all pages from one commit. The budget that a short page leaves goes to the pages after it. */
export async function readPages(session: Session, input: Input<'read_pages'>): Promise<Output<'read_pages'>> {
  const snapshot = await session.repository.head();
  const pages: Row[] = [];
  let left = limits.replyCharacters - 200;
  for (const [position, path] of input.paths.entries()) {
    const row = await readOne(session, snapshot, path, Math.floor(left / (input.paths.length - position)));
    left -= serializedLength(row) + 1;
    pages.push(row);
  }
  return { commit: snapshot.commit, pages };
}

async function readOne(session: Session, snapshot: Snapshot, given: string, budget: number): Promise<Row> {
  try {
    const path = parsePagePath(given);
    const entry = await requirePage(snapshot, path, session.index);
    const notices = await conflictNotices(session, snapshot, path);
    return await viewPage(snapshot, path, entry, { ...WHOLE, notices }, budget);
  } catch (error) {
    const { message, code } = toWikiError(error);
    if (!(error instanceof WikiError) || code === 'internal') throw error;
    return { path: given.slice(0, limits.pathCharacters), error: cutError(message, 600) };
  }
}

const WHOLE = { mode: 'content', start_line: 1, start_char: 0 } as const;
