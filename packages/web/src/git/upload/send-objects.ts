import { callOperation, type Output } from '@pagetree/wiki/contract';
import type { GitRequest } from '../git-caller.ts';
import type { FetchArguments } from './fetch-arguments.ts';

/** A part of the objects that a fetch needs. */
export interface Part extends Omit<Output<'send_objects'>, 'content'> {
  /** Entries of a pack. */
  entries: Uint8Array;
}

export async function askObjects(
  { wiki, name, call }: GitRequest,
  given: FetchArguments,
  { isFinal, cursor }: { isFinal: boolean; cursor?: string },
): Promise<Part> {
  let taken: Uint8Array | null = null;
  const takeBytes = (bytes: Uint8Array) => {
    taken = bytes;
  };
  const input = {
    wiki: name,
    wants: [...new Set(given.wants)],
    haves: given.haves,
    is_final: isFinal,
    shallow: given.shallow,
    ...(given.depth !== null && { depth: given.depth, from_shallow: given.isRelative }),
    ...(given.since !== null && { since: given.since }),
    ...(given.filter !== null && { filter: given.filter }),
    may_be_thin: given.isThin,
    ...(cursor !== undefined && { cursor }),
  };
  const { content, ...answer } = (await callOperation(wiki, 'send_objects', input, {
    ...call,
    takeBytes,
  })) as Output<'send_objects'>;
  return { ...answer, entries: taken ?? Buffer.from(content ?? '', 'base64') };
}
