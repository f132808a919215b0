import { isOid, type Oid, objectId } from '@pagetree/wiki/oid';

/** A commit of either side. What both sides share of it is kept byte for byte, as text of one character a byte. */
export interface RawCommit {
  oid: Oid;
  tree: Oid;
  parents: readonly Oid[];
  /** Author, committer, encoding and message. Without signatures, which hold for one commit alone. */
  words: string;
  /** The commit of the other side with the same folder, as the sync that made this one noted it. */
  stands: StandsFor | null;
}

/** `wiki`: a commit of the remote that stands for one of the wiki. `remote`: the opposite. */
export interface StandsFor {
  side: 'wiki' | 'remote';
  oid: Oid;
  /** The folder of the remote that was the wiki. */
  folder: string;
  /** Further commits of the wiki in the history of the one it stands for, newest first, that came to the remote with it. */
  brings?: Brings | undefined;
}

export interface Brings {
  commits: readonly Oid[];
  /** The folder with them. */
  tree: Oid;
}

/** Null if the bytes are no commit. */
export function parseRawCommit(oid: Oid, bytes: Uint8Array): RawCommit | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const blank = text.indexOf('\n\n');
  const headers = (blank < 0 ? text : text.slice(0, blank)).split('\n');
  const valuesOf = (name: string) =>
    headers.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  const [tree] = valuesOf('tree');
  if (tree === undefined || !isOid(tree)) return null;
  const kept = headers.filter((line) => /^(?:author|committer|encoding) /.test(line));
  const message = blank < 0 ? '' : text.slice(blank + 1);
  const stands = SIDES.flatMap((side) =>
    valuesOf(`${HEADER}${side}`).flatMap((value) => {
      const [named = '', ...folder] = value.split(' ');
      return isOid(named) ? [{ side, oid: named, folder: fromBytes(folder.join(' ')) }] : [];
    }),
  );
  const [brought, ...commits] = valuesOf(`${HEADER}brings`).join(' ').split(' ', MAX_BROUGHT).filter(isOid);
  const brings = brought === undefined ? undefined : { tree: brought, commits };
  return {
    oid,
    tree,
    parents: valuesOf('parent').filter(isOid),
    words: `${kept.map((line) => `${line}\n`).join('')}${message}`,
    stands: stands[0] === undefined ? null : { ...stands[0], brings },
  };
}

export interface BuiltCommit extends RawCommit {
  bytes: Uint8Array;
}

/** A commit with a header of ours, which git keeps and shows nobody. */
export function buildCommit({ tree, parents, words, stands }: Omit<RawCommit, 'oid'>): BuiltCommit {
  const end = words.search(/\n(?:\n|$)/) + 1;
  const mark = stands === null ? '' : headersOf(stands);
  const named = parents.map((parent) => `parent ${parent}\n`).join('');
  const text = `tree ${tree}\n${named}${words.slice(0, end)}${mark}${words.slice(end)}`;
  const bytes = Buffer.from(text, 'latin1');
  return { oid: objectId('commit', bytes), tree, parents, words, stands, bytes };
}

function headersOf({ side, oid, folder, brings }: StandsFor): string {
  const further =
    brings === undefined ? '' : `${HEADER}brings ${[brings.tree, ...brings.commits].join(' ')}\n`;
  return `${HEADER}${side} ${oid} ${toBytes(folder)}\n${further}`;
}

/** Text as one character a byte. */
export function toBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

export function fromBytes(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

const HEADER = 'pagetree-';
/** Ids that are read of a header: a forged one may have more. */
const MAX_BROUGHT = 1_000;
const SIDES = ['wiki', 'remote'] as const;
