import { BrokenPktLine, PktLines, textOf } from '@pagetree/wiki/pkt-line';

/** A change of a ref that a push asks for. */
export interface RefUpdate {
  ref: string;
  /** The object that the client saw there; `NO_OID` if there was none. */
  from: string;
  /** `NO_OID` to delete it. */
  to: string;
}

export interface PushRequest {
  updates: RefUpdate[];
  capabilities: ReadonlySet<string>;
  /** Empty if the client has nothing to send, as when it only deletes. */
  pack: Uint8Array;
}

/** Reads the request of a push: https://git-scm.com/docs/gitprotocol-pack. Throws BrokenPktLine. */
export function readPush(body: Uint8Array): PushRequest {
  const input = new PktLines(body);
  const updates: RefUpdate[] = [];
  let capabilities: ReadonlySet<string> = new Set();
  for (let line = input.next(); line?.kind !== 'flush'; line = input.next()) {
    if (line?.kind !== 'data') throw new BrokenPktLine('The list of refs has no end.');
    const text = textOf(line.data);
    // The wiki has the objects that a shallow clone lacks, or the pack is refused.
    if (/^shallow [0-9a-f]{40}$/.test(text)) continue;
    if (updates.length >= MAX_UPDATES) throw new BrokenPktLine(`One push can change ${MAX_UPDATES} refs.`);
    const [command = '', named] = text.split('\0', 2);
    const [, from, to, ref] = COMMAND.exec(command) ?? [];
    if (from === undefined || to === undefined || ref === undefined)
      throw new BrokenPktLine('A line of the push is no update of a ref.');
    if (updates.length === 0) capabilities = new Set(named?.trim().split(' '));
    updates.push({ ref, from, to });
  }
  return { updates, capabilities, pack: input.rest };
}

/** A name without control characters, which come back in the answer. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a hostile name may have them.
const COMMAND = /^([0-9a-f]{40}) ([0-9a-f]{40}) ([^\x00-\x20\x7f]{1,1000})$/;
const MAX_UPDATES = 1_000;
