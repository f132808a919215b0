import { createHash } from 'node:crypto';
import { CHECKSUM_BYTES } from '../../formats/oid.ts';
import type { ObjectCount } from '../../scheduling/stepwise.ts';
import type { FileSystem } from '../files/file-system.ts';
import { unlessGone } from '../files/unless-gone.ts';
import { readWholeFile } from '../files/whole-file.ts';
import { OidList } from './oid-list.ts';
import { NOT_SOUND, PACKED_OBJECTS, type RunMemory, SOUND } from './run.ts';

/** The state that a run keeps between its calls. */
export interface KeptRun {
  /** Milliseconds since 1970. */
  began: number;
  /**
   * The inode of the repository. A copy carries this file along, but its files were not the ones that were
   * read.
   */
  place: number;
  memory: RunMemory;
}

/** The counters in the memory that show people the progress of a run. */
export function countOf({ memory: { slots, lists } }: KeptRun): ObjectCount {
  const read = (lists[SOUND]?.size ?? 0) + (lists[NOT_SOUND]?.size ?? 0);
  const total = slots[PACKED_OBJECTS]?.value;
  return { read, total: typeof total === 'number' ? Math.max(total, read) : 0 };
}

interface Header {
  format: typeof FORMAT;
  began: number;
  place: number;
  slots: RunMemory['slots'];
  lists: { name: string; bytes: number }[];
}

/** One line of JSON, then the lists one after the other, then the checksum of it all. */
export function encodeRun({ began, place, memory: { slots, lists } }: KeptRun): Uint8Array {
  const named = Object.entries(lists).map(([name, list]) => ({ name, bytes: list.bytes }));
  const header: Header = {
    format: FORMAT,
    began,
    place,
    slots,
    lists: named.map(({ name, bytes }) => ({ name, bytes: bytes.length })),
  };
  const parts = [Buffer.from(`${JSON.stringify(header)}\n`), ...named.map(({ bytes }) => bytes)];
  return Buffer.concat([...parts, checksum(...parts)]);
}

/**
 * Null if the file is missing or damaged: the state can be thrown away. Throws what the file system throws.
 */
export async function readRun(fs: FileSystem, path: string): Promise<KeptRun | null> {
  const bytes = await unlessGone(() => readWholeFile(fs, path));
  return bytes && decodeRun(bytes);
}

function decodeRun(bytes: Uint8Array): KeptRun | null {
  const end = bytes.length - CHECKSUM_BYTES;
  if (end < 0 || !checksum(bytes.subarray(0, end)).equals(bytes.subarray(end))) return null;
  const lines = bytes.indexOf(NEWLINE);
  const header = JSON.parse(Buffer.from(bytes.subarray(0, lines)).toString()) as Header;
  if (header.format !== FORMAT) return null;
  let at = lines + 1;
  const lists: RunMemory['lists'] = {};
  for (const { name, bytes: length } of header.lists) {
    lists[name] = OidList.from(bytes.subarray(at, at + length));
    at += length;
  }
  return { began: header.began, place: header.place, memory: { slots: header.slots, lists } };
}

function checksum(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha1');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

const FORMAT = 2;
const NEWLINE = 10;
