import type { Oid } from '../../formats/oid.ts';
import type { ProcessIdentity } from '../files/host.ts';
import { parseIdentity } from '../files/process-lock.ts';

/** The link for which the pack of a push is kept. */
export interface PushedPack {
  from: Oid | null;
  to: Oid;
}

/**
 * The merge for which a pack is kept. Its commit is not made yet and may be linked after any other one: so the pack is
 * kept until the branch reaches `merged`, or no longer than the process that would link the merge.
 */
export interface MergedPack {
  merged: Oid;
  by: ProcessIdentity;
}

/** The text in the `.keep` of a pack whose name does not say which commits it holds. */
export function keepNote(kept: PushedPack | MergedPack): string {
  if ('merged' in kept) {
    return `Pagetree keeps this pack until the merge of ${kept.merged} is in the branch.\n${JSON.stringify(kept.by)}\n`;
  }
  return `Pagetree keeps this pack until the push ${kept.from ?? NOTHING} ${kept.to} is in the branch.\n`;
}

/** Null if the text is of another kind. */
export function parsePushNote(text: string): PushedPack | null {
  const [, from, to] = /the push ([0-9a-f]{40}) ([0-9a-f]{40}) is in the branch\.\n$/.exec(text) ?? [];
  if (from === undefined || to === undefined) return null;
  return { from: from === NOTHING ? null : from, to };
}

/** Null if the text is of another kind. */
export function parseMergeNote(text: string): MergedPack | null {
  const [, merged, json] = /the merge of ([0-9a-f]{40}) is in the branch\.\n(.+)\n$/.exec(text) ?? [];
  const by = json === undefined ? null : parseIdentity(json);
  return merged === undefined || by === null ? null : { merged, by };
}

const NOTHING = '0'.repeat(40);
