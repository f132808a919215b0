import { mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';

interface File {
  kind: 'file';
  content: Buffer;
  /** The content that the last sync made safe. */
  safe: Buffer;
}

interface Directory {
  kind: 'directory';
  entries: Map<string, Node>;
  /** The entries that the last sync made safe. */
  safe: Map<string, Node>;
  /** The changes since then, in order. */
  changes: Change[];
}

interface Symlink {
  kind: 'symlink';
  target: string;
}

export type Node = File | Directory | Symlink;

/** One entry of a directory set or removed; both halves of a rename are one `step`, kept or lost together. */
interface Change {
  step: number;
  name: string;
  node: Node | null;
}

/** The part of unsynced changes that a power cut leaves. */
export interface Loss {
  /** Which changes of directories are kept; they are numbered from 1 in the order in which they were made. */
  keepsChange: (step: number) => boolean;
  /** The fate of a file's unsynced bytes. */
  unsyncedBytes: 'kept' | 'lost' | 'zeroed' | 'half';
}

/** An account of a tree of files: what programs see, and what is safe. */
export interface Disk {
  find(path: string): Node;
  create(path: string): void;
  append(node: Node, data: Uint8Array): void;
  sync(node: Node): void;
  symlink(target: string, path: string): void;
  link(existing: string, path: string): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
  mkdir(path: string): void;
  /** Writes what is there after a power cut with this loss into a new directory. */
  writeAfter(loss: Loss, directory: string): void;
}

/** Reads the tree below `root`, all of which counts as safe. */
export function scanDisk(root: string): Disk {
  const top = scanDirectory(root);
  let steps = 0;
  /** A rename between two directories is safe when one of them was synced. */
  const safeSteps = new Set<number>();

  function find(path: string): Node {
    const parts = relative(root, path).split(sep).filter(Boolean);
    let node: Node | undefined = top;
    for (const part of parts) node = node?.kind === 'directory' ? node.entries.get(part) : undefined;
    if (node === undefined) throw new Error(`The account of the disk has no ${path}.`);
    return node;
  }

  function set(path: string, node: Node | null, step = ++steps): void {
    const directory = find(dirname(path));
    if (directory.kind !== 'directory') throw new Error(`${dirname(path)} is no directory.`);
    const name = basename(path);
    if (node === null) directory.entries.delete(name);
    else directory.entries.set(name, node);
    directory.changes.push({ step, name, node });
  }

  return {
    find,
    create: (path) => set(path, { kind: 'file', content: Buffer.alloc(0), safe: Buffer.alloc(0) }),
    append: (node, data) => {
      if (node.kind === 'file') node.content = Buffer.concat([node.content, data]);
    },
    sync: (node) => {
      if (node.kind === 'file') node.safe = node.content;
      if (node.kind !== 'directory') return;
      for (const { step } of node.changes) safeSteps.add(step);
      node.safe = new Map(node.entries);
      node.changes = [];
    },
    symlink: (target, path) => set(path, { kind: 'symlink', target }),
    link: (existing, path) => set(path, find(existing)),
    rename: (from, to) => {
      const node = find(from);
      const step = ++steps;
      set(to, node, step);
      set(from, null, step);
    },
    remove: (path) => set(path, null),
    mkdir: (path) => set(path, { kind: 'directory', entries: new Map(), safe: new Map(), changes: [] }),
    writeAfter: ({ keepsChange, unsyncedBytes }, directory) =>
      writeDirectory(
        top,
        { keepsChange: (step) => safeSteps.has(step) || keepsChange(step), unsyncedBytes },
        directory,
      ),
  };
}

function scanDirectory(path: string): Directory {
  const entries = new Map<string, Node>();
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) entries.set(entry.name, scanDirectory(child));
    else if (entry.isSymbolicLink())
      entries.set(entry.name, { kind: 'symlink', target: readlinkSync(child) });
    else {
      const content = readFileSync(child);
      entries.set(entry.name, { kind: 'file', content, safe: content });
    }
  }
  return { kind: 'directory', entries, safe: new Map(entries), changes: [] };
}

function writeDirectory(directory: Directory, loss: Loss, path: string): void {
  mkdirSync(path, { recursive: true });
  const entries = new Map(directory.safe);
  for (const { step, name, node } of directory.changes) {
    if (!loss.keepsChange(step)) continue;
    if (node === null) entries.delete(name);
    else entries.set(name, node);
  }
  for (const [name, node] of entries) {
    const child = join(path, name);
    if (node.kind === 'directory') writeDirectory(node, loss, child);
    else if (node.kind === 'symlink') symlinkSync(node.target, child);
    else writeFileSync(child, bytesAfter(node, loss.unsyncedBytes));
  }
}

function bytesAfter({ content, safe }: File, unsyncedBytes: Loss['unsyncedBytes']): Buffer {
  if (content === safe || unsyncedBytes === 'kept') return content;
  if (unsyncedBytes === 'lost') return safe;
  if (unsyncedBytes === 'half') return content.subarray(0, safe.length + (content.length - safe.length) / 2);
  return Buffer.concat([safe, Buffer.alloc(content.length - safe.length)]);
}
