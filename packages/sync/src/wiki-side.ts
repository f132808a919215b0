import { createHash } from 'node:crypto';
import {
  type Call,
  callOperation,
  type Input,
  type Oid,
  type OperationName,
  type Output,
  type Wiki,
  WikiError,
} from '@pagetree/wiki/contract';

export interface WikiSideParts {
  wiki: Wiki;
  /** The name of the wiki; null for the default one. */
  name: string | null;
  call: Call;
  /** The most bytes of a pack that is to be pushed; the memory of this process is the bound if absent. */
  maxPushBytes?: number;
}

export interface WikiHead {
  /** The full name of the wiki's branch. */
  branch: string;
  commit: Oid | null;
}

export type Merged = Output<'merge_commits'>;

/** One wiki, as a sync needs it. Methods throw WikiError. */
export class WikiSide {
  readonly #parts: WikiSideParts;

  constructor(parts: WikiSideParts) {
    this.#parts = parts;
  }

  async head(): Promise<WikiHead> {
    const { head, refs } = await this.#ask('list_refs', {});
    return { branch: head, commit: refs.find(({ name }) => name === head)?.oid ?? null };
  }

  /** The place of a commit of the remote in the history of the wiki. */
  async placeOf(commit: Oid, head: Oid | null): Promise<'in history' | 'stored' | 'unknown'> {
    if (commit === head) return 'in history';
    const haves = head === null ? [] : [head];
    try {
      const { objects } = await this.#ask('send_objects', { wants: [commit], haves });
      return objects === 0 ? 'in history' : 'stored';
    } catch (error) {
      if (error instanceof WikiError && error.code === 'not_found') return 'unknown';
      throw error;
    }
  }

  /** Commits of the wiki that the remote may have, newest first. */
  async recentCommits(): Promise<Oid[]> {
    const { entries } = await this.#ask('get_history', { limit: MAX_HAVES });
    return entries.map(({ commit }) => commit);
  }

  /** Brings a commit of the remote in. `pack` is null if the wiki has all its objects. */
  async merge(commit: Oid, pack: Uint8Array | null, source: string): Promise<Merged> {
    return this.#ask('merge_commits', { commit, source }, pack === null ? {} : { bytes: pack });
  }

  /** A pack with everything that `commit` reaches and `has` does not. Null if it is larger than it may be. */
  async pack(commit: Oid, has: Oid | null): Promise<Uint8Array | null> {
    return this.objects({ wants: [commit], haves: has === null ? [] : [has], may_be_thin: true });
  }

  /** The pack that `send_objects` gives. Null if it is larger than it may be. */
  async objects(input: Partial<Input<'send_objects'>>): Promise<Uint8Array | null> {
    const parts: Uint8Array[] = [];
    let bytes = 0;
    const takeBytes = (part: Uint8Array) => {
      parts.push(part);
      bytes += part.length;
    };
    const most = this.#parts.maxPushBytes ?? Number.POSITIVE_INFINITY;
    let cursor: string | undefined;
    let count = 0;
    do {
      const part = await this.#ask('send_objects', { ...input, ...(cursor && { cursor }) }, { takeBytes });
      if (part.content !== null) takeBytes(Buffer.from(part.content, 'base64'));
      if (bytes > most) return null;
      count = part.objects ?? 0;
      cursor = part.next_cursor ?? undefined;
    } while (cursor !== undefined);
    return packOf(count, parts);
  }

  async #ask<Name extends OperationName>(
    name: Name,
    input: object,
    more: Partial<Call> = {},
  ): Promise<Output<Name>> {
    const { wiki, name: wikiName, call } = this.#parts;
    const named = wikiName === null ? input : { ...input, wiki: wikiName };
    return (await callOperation(wiki, name, named, { ...call, ...more })) as Output<Name>;
  }
}

/** A pack file: its header, the entries, and the checksum of both. */
function packOf(count: number, entries: readonly Uint8Array[]): Uint8Array {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('PACK');
  header.writeUInt32BE(PACK_VERSION, 4);
  header.writeUInt32BE(count, 8);
  const hash = createHash('sha1').update(header);
  for (const part of entries) hash.update(part);
  return Buffer.concat([header, ...entries, hash.digest()]);
}

const HEADER_BYTES = 12;
const PACK_VERSION = 2;
/** The most entries that one answer of get_history has. */
const MAX_HAVES = 200;
