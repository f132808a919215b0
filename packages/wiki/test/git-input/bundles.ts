import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { type GitObject, type ObjectType, objectId } from '../../src/formats/oid.ts';
import { packHeader } from '../../src/formats/packs/pack.ts';
import { entryHeader } from '../../src/formats/packs/pack-entry.ts';

/** Bundles as no git makes them, byte by byte. */

/** An entry of a pack, in any form: what it says of itself need not be so. */
export interface RawEntry {
  kind: ObjectType | 'offset_delta' | 'ref_delta';
  /** The size in the header; by default the content's own length. */
  says?: number;
  content: Uint8Array;
  /** For a delta: how many bytes before it its base begins. */
  distance?: number;
  /** For a delta: the id of its base. */
  base?: string;
  /** The compression level of its content. */
  level?: number;
  /** How many blocks of nothing come before its content. */
  emptyBlocks?: number;
}

const WHO = 'A. Writer <writer@example.org> 1700000000 +0000';

/** Objects that are gathered for one bundle, each once. */
export class ObjectHeap {
  readonly objects: GitObject[] = [];
  readonly #oids = new Set<string>();

  add(type: ObjectType, content: Uint8Array | string): string {
    const bytes = Buffer.from(content);
    const oid = objectId(type, bytes);
    if (!this.#oids.has(oid)) this.objects.push({ type, content: bytes });
    this.#oids.add(oid);
    return oid;
  }

  tree(entries: readonly (readonly [mode: string, name: string, oid: string])[]): string {
    return this.add('tree', treeBytes(entries));
  }

  commit(tree: string, parents: readonly string[] = [], { who = WHO, message = 'm\n' } = {}): string {
    const lines = [
      `tree ${tree}`,
      ...parents.map((parent) => `parent ${parent}`),
      `author ${who}`,
      `committer ${who}`,
    ];
    return this.add('commit', `${lines.join('\n')}\n\n${message}`);
  }

  /** A bundle whose branch is at this commit. */
  bundle(tip: string): Buffer {
    return bundleOfPack(tip, packOf(this.objects.map(({ type, content }) => ({ kind: type, content }))));
  }
}

function treeBytes(entries: readonly (readonly [mode: string, name: string, oid: string])[]): Buffer {
  return Buffer.concat(
    entries.flatMap(([mode, name, oid]) => [
      Buffer.from(`${mode} ${name}\0`, 'latin1'),
      Buffer.from(oid, 'hex'),
    ]),
  );
}

export function packOf(entries: readonly RawEntry[], says = entries.length): Buffer {
  const parts: Uint8Array[] = [packHeader(says)];
  for (const { kind, content, says: length = content.length, distance, base, ...compressed } of entries) {
    parts.push(headerOf(kind, length));
    if (distance !== undefined) parts.push(distanceBytes(distance));
    if (base !== undefined) parts.push(Buffer.from(base, 'hex'));
    const stream = deflateSync(content, { level: compressed.level ?? 6 });
    parts.push(stream.subarray(0, 2), emptyBlocks(compressed.emptyBlocks ?? 0), stream.subarray(2));
  }
  return sealed(Buffer.concat(parts));
}

/** Blocks of deflate that inflate to nothing, none of them the last. */
export function emptyBlocks(count: number): Buffer {
  return Buffer.alloc(5 * count, Buffer.from([0, 0, 0, 0xff, 0xff]));
}

/** Deltas by an id are only read in this project, never written. */
function headerOf(kind: RawEntry['kind'], length: number): Uint8Array {
  if (kind !== 'ref_delta') return entryHeader(kind, length);
  const header = Buffer.from(entryHeader('offset_delta', length));
  header[0] = (header[0] ?? 0) | 0x10;
  return header;
}

/** The size of an entry in bytes. */
export function entryLength(entry: RawEntry): number {
  return packOf([entry]).length - 32;
}

export function sealed(body: Uint8Array): Buffer {
  return Buffer.concat([body, createHash('sha1').update(body).digest()]);
}

export function bundleOfPack(tip: string, pack: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`# v2 git bundle\n${tip} refs/heads/main\n${tip} HEAD\n\n`), pack]);
}

/** A delta that copies a base again and again. */
export function repeatingDelta(baseLength: number, times: number): Buffer {
  const copy = [0xb0, baseLength & 0xff, (baseLength >> 8) & 0xff];
  return Buffer.concat([
    lengthBytes(baseLength),
    lengthBytes(baseLength * times),
    Buffer.from(Array.from({ length: times }, () => copy).flat()),
  ]);
}

/** A delta that copies a base of less than 64 kB, if it has any bytes, and puts these behind it. */
export function appendingDelta(base: Uint8Array, added: Uint8Array | string): Buffer {
  const rest = Buffer.from(added);
  const inserts: Uint8Array[] = [];
  for (let at = 0; at < rest.length; at += 0x7f) {
    const run = rest.subarray(at, at + 0x7f);
    inserts.push(Buffer.from([run.length]), run);
  }
  const copy = base.length === 0 ? [] : [0xb0, base.length & 0xff, base.length >> 8];
  return Buffer.concat([
    lengthBytes(base.length),
    lengthBytes(base.length + rest.length),
    Buffer.from(copy),
    ...inserts,
  ]);
}

export function lengthBytes(length: number): Buffer {
  const bytes: number[] = [];
  let rest = length;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
}

function distanceBytes(distance: number): Buffer {
  const bytes = [distance & 0x7f];
  for (let rest = distance >> 7; rest > 0; rest >>= 7) {
    rest -= 1;
    bytes.unshift((rest & 0x7f) | 0x80);
  }
  return Buffer.from(bytes);
}
