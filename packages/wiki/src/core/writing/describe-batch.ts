import type { BatchChange } from '../../contract/operations/batches.ts';
import type { Output } from '../../contract/operations.ts';
import { describeMovedFiles } from '../moving/moved-files.ts';
import { type MovedPaths, parseMerge, parseMove } from '../moving/moves.ts';
import type { Settled } from '../moving/settle.ts';
import { findPage } from '../pages/find-page.ts';
import { pagePathOf, parsePagePath } from '../paths/page-path.ts';
import { describeRetargeted } from '../relinking/retargeted.ts';
import { countThatFits, serializedLength } from '../reply-budget.ts';
import { movedFolders } from './moved-folders.ts';
import { describePage, type Landed } from './write.ts';

type Pages = Output<'commit_changes'>['pages'];

/**
 * The result of a batch: each page that its changes name, once; the pages with rewritten links; and links
 * that lead elsewhere.
 */
export async function describeBatch(
  landed: Landed,
  settled: Settled,
  changes: readonly BatchChange[],
): Promise<Omit<Output<'commit_changes'>, 'commit' | 'changed'>> {
  const retargeted = describeRetargeted(landed.changed ? settled.retargeted : []);
  const updated = landed.changed ? settled.updated : [];
  const shown = updated.slice(0, countThatFits(updated, MAX_CHARACTERS - 8_000));
  const rest = {
    updated_pages: updated.length === 0 ? [] : shown,
    updated_total: updated.length,
    ...describeMovedFiles(landed.changed ? settled : null),
    ...retargeted,
  };
  const pages = await describePages(landed, settled, changes);
  return { pages: fit(pages, serializedLength(rest)), total: pages.length, ...rest };
}

async function describePages(
  landed: Landed,
  settled: Settled,
  changes: readonly BatchChange[],
): Promise<Pages> {
  const pages = new Map<string, Pages[number]>();
  const described = new Set<string>();
  const moves = changes.map(moveOf);
  const folders = movedFolders(
    moves.filter((move) => move !== null).filter(({ isFolder }) => isFolder),
    settled.net.moved,
  );
  for (const [at, change] of changes.entries()) {
    const move = moves[at];
    if (move?.isFolder) {
      for (const { path, from } of folders.get(move) ?? []) {
        const row = { path, previous_path: from, version: null, previous_version: null, diff: '' };
        pages.set(`${path}\0${from}`, row);
      }
      continue;
    }
    const named = parsePagePath(change.path);
    const isDeleted = change.op === 'delete';
    const last = isDeleted ? named : lastPathOf(named, moves.slice(at));
    // Many changes may name one page, and the cost of a diff grows with the page.
    if (described.has(`${last}\0${named}`)) continue;
    described.add(`${last}\0${named}`);
    const rows = await describeNamed(landed, settled, { named, last, isDeleted });
    for (const row of rows) if (row.version !== null || !pages.has(row.path)) pages.set(row.path, row);
  }
  return [...pages.values()];
}

/** The page that a change names, and the pages that were removed at this path. */
async function describeNamed(
  landed: Landed,
  settled: Settled,
  { named, last, isDeleted }: { named: string; last: string; isDeleted: boolean },
): Promise<Pages> {
  const present = await describePresent(landed, settled, last);
  const gone = isDeleted ? settled.net.removedAt(named) : present === null ? [named] : [];
  const rows = [present];
  for (const path of gone) rows.push(await describeGone(landed, path));
  return rows.filter((row) => row !== null);
}

function moveOf({ op, path, new_path }: BatchChange): MovedPaths | null {
  if (new_path === undefined) return null;
  if (op === 'merge') return parseMerge({ path, new_path });
  if (op !== 'move') return null;
  return parseMove({ path, new_path, update_links: true });
}

/** The final path of the page that is at a path before the changes. */
function lastPathOf(path: string, moves: readonly (MovedPaths | null)[]): string {
  return moves.reduce((present, move) => {
    if (move === null) return present;
    if (move.isFolder)
      return present.startsWith(move.from) ? move.path + present.slice(move.from.length) : present;
    return present === move.from ? move.path : present;
  }, path);
}

async function describePresent(
  landed: Landed,
  { net }: Settled,
  path: string,
): Promise<Pages[number] | null> {
  const entry = await findPage(landed.after, path);
  if (entry === null) return null;
  const page = net.pageAt(entry.path);
  const from = page === null ? path : (pagePathOf(page) ?? page);
  const { version, previous_version, diff } = await describePage(landed, path, from);
  return { path, ...(from !== path && { previous_path: from }), version, previous_version, diff };
}

/** Null for a page that came and went within the batch, or that is there again. */
async function describeGone(landed: Landed, path: string): Promise<Pages[number] | null> {
  if ((await findPage(landed.before, path)) === null) return null;
  if ((await findPage(landed.after, path)) !== null) return null;
  const { version, previous_version, diff } = await describePage(landed, path);
  return { path, version, previous_version, diff };
}

/** The versions of every page that fits, then diffs as long as there is room. */
function fit(pages: Pages, reserved: number): Pages {
  const bare = pages.map((page) => ({ ...page, diff: '' }));
  const shown = bare.slice(0, countThatFits(bare, reserved + 2_000));
  let left = MAX_CHARACTERS - reserved - serializedLength(shown);
  return shown.map((page, at) => {
    const diff = pages[at]?.diff ?? '';
    left -= serializedLength(diff);
    return left < 0 ? page : { ...page, diff };
  });
}

const MAX_CHARACTERS = 36_000;
