import { setTimeout } from 'node:timers/promises';
import { limits } from '../../contract/limits.ts';
import type { Index } from '../index-port.ts';
import { pageNameOf, pagePathOf } from '../paths/page-path.ts';
import type { Snapshot } from '../ports.ts';
import { countThatFits, serializedLength, shortened } from '../reply-budget.ts';
import { normalForm } from '../text/normal-form.ts';
import { type Retargeted, relink } from './relink.ts';
import type { UndoneMoves } from './undone-moves.ts';

/**
 * The links that lead elsewhere after a change that rewrites none. Null if the index takes too long or fails:
 * the change is made, and a write never waits for the index.
 *
 * @param content True if the caller gave the whole content of `paths` (tree paths), false if it changed a
 * part of them.
 */
export async function findRetargeted(
  index: Index,
  { before, after }: { before: Snapshot; after: Snapshot },
  paths: readonly string[],
  content: 'given' | 'kept',
  moves: UndoneMoves = { moved: new Map(), replaced: new Set() },
): Promise<Retargeted[] | null> {
  const found = relink(index, {
    before,
    after,
    paths,
    ...moves,
    merged: new Set(),
    placeOf: (path) => path,
    follows: () => false,
    joined: new Map(),
    runsAt: (path) => (content === 'given' ? [] : { comparedWith: path }),
    reportsNew: false,
  }).then(
    ({ retargeted }) => retargeted,
    () => null,
  );
  return Promise.race([found, setTimeout(MAX_WAIT_MS, null, { ref: false })]);
}

const MAX_WAIT_MS = 3_000;

/** The report of these links in an answer; nothing if there are none. */
export function describeRetargeted(rows: readonly Retargeted[] | null, maxCharacters = 12_000) {
  if (rows === null) return { retargeted_total: null };
  if (rows.length === 0) return {};
  const described = rows.map(({ page, link, oldTarget, newTarget, anchors }) => ({
    page: nameOf(page),
    link: shortened(link, MAX_LINK_CHARACTERS),
    old_target: targetName(oldTarget, newTarget, anchors?.old),
    new_target: targetName(newTarget, oldTarget, anchors?.now),
  }));
  const shown = countThatFits(described, limits.replyCharacters - maxCharacters);
  return { retargeted: described.slice(0, shown), retargeted_total: rows.length };
}

/** The number of characters that the description takes in a reply. */
export function lengthOf(described: ReturnType<typeof describeRetargeted>): number {
  return serializedLength(described);
}

const MAX_LINK_CHARACTERS = 500;

/** The name of a target. A page has its extension if the other target is a file that is called as the page is without. */
function targetName(
  target: string | null,
  other: string | null,
  anchor: string | null = null,
): string | null {
  if (target === null) return null;
  const isFilesName = other !== null && pageNameOf(target) === normalForm(other);
  if (!isFilesName) return nameOf(target, anchor);
  return anchor === null ? target : `${target}#${anchor}`;
}

function nameOf(treePath: string, anchor: string | null = null): string {
  const name = pagePathOf(treePath) ?? treePath;
  return anchor === null ? name : `${name}#${anchor}`;
}
