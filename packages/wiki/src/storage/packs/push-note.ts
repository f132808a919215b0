import type { Oid } from '../../formats/oid.ts';

/** The link for which the pack of a push is kept. */
export interface PushedPack {
  from: Oid | null;
  to: Oid;
}

/** The text in the `.keep` of a push's pack. The pack's name does not say which commits it holds. */
export function pushNote({ from, to }: PushedPack): string {
  return `Pagetree keeps this pack until the push ${from ?? NOTHING} ${to} is in the branch.\n`;
}

/** Null if the text is of another kind. */
export function parsePushNote(text: string): PushedPack | null {
  const [, from, to] = /the push ([0-9a-f]{40}) ([0-9a-f]{40}) is in the branch\.\n$/.exec(text) ?? [];
  if (from === undefined || to === undefined) return null;
  return { from: from === NOTHING ? null : from, to };
}

const NOTHING = '0'.repeat(40);
