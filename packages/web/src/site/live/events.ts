import type { Output } from '@pagetree/wiki/contract';
import type { ChangeData } from '../../client/live/change-data.ts';
import { pageAddress } from '../addresses.ts';

/** An event as it is sent: all watchers share its bytes. */
export interface LiveEvent {
  commit: string;
  bytes: Uint8Array;
}

/** The event of a change; null if nothing changed that may be shown. */
export function changeEvent(wiki: string, { commit, ...changed }: Output<'list_changed'>): LiveEvent | null {
  if (commit === null) return null;
  if (changed.complete && changed.pages.length + changed.files.length === 0) return null;
  const pages = changed.pages.map((path) => pageAddress(wiki, path));
  const whole = JSON.stringify({ pages, more: !changed.complete } satisfies ChangeData);
  return eventOf(commit, whole.length > MAX_DATA ? ANYTHING : whole);
}

/** The event for a watcher that cannot be given every change: it reads again what it shows. */
export function anyChangeEvent(commit: string): LiveEvent {
  return eventOf(commit, ANYTHING);
}

/** Sent first: from here on, every change is sent. It has no id, for the newest commit may be one that a scope hides. */
export const BEGUN = encode('event: begun\ndata: {}\n\n');

/** A comment, so that a broken connection is noticed. */
export const HEARTBEAT = encode(':\n\n');

/** A change of a wiki that the client did not know. */
export const NEW_WIKI = encode('event: change\ndata: {"pages":[],"more":true}\n\n');

const ANYTHING = JSON.stringify({ pages: [], more: true } satisfies ChangeData);

/** Events are kept for watchers that come back. */
const MAX_DATA = 4_000;

function eventOf(commit: string, data: string): LiveEvent {
  return { commit, bytes: encode(`id: ${commit}\nevent: change\ndata: ${data}\n\n`) };
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
