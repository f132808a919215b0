import { createHash } from 'node:crypto';
import type { Oid } from '../contract/ids.ts';
import type { FileWrite, Snapshot, TreeEntry } from './ports.ts';

/** A snapshot with files written over it, of which nothing is stored yet. Its folders are those of `base`. */
export class Draft implements Snapshot {
  readonly base: Snapshot;
  readonly #written = new Map<string, FileWrite>();
  readonly #contents = new Map<Oid, Uint8Array>();

  constructor(base: Snapshot) {
    this.base = base;
  }

  get commit(): Oid | null {
    return this.base.commit;
  }

  write(files: readonly FileWrite[]): void {
    for (const file of files) {
      this.#written.set(file.path, file);
      if ('content' in file) this.#contents.set(blobOid(file.content), file.content);
    }
  }

  /** What turns the base into the draft: each path once. */
  writes(): FileWrite[] {
    return [...this.#written.values()].map((file) => {
      const content = 'oid' in file ? this.#contents.get(file.oid) : undefined;
      return content === undefined ? file : { path: file.path, content, ...modeOf(file) };
    });
  }

  async entry(path: string): Promise<TreeEntry | null> {
    const file = this.#written.get(path);
    return file === undefined ? this.base.entry(path) : entryOf(file);
  }

  folder(path: string) {
    return this.base.folder(path);
  }

  files(folder?: string) {
    return this.base.files(folder);
  }

  async blob(oid: Oid): Promise<Uint8Array> {
    return this.#contents.get(oid) ?? this.base.blob(oid);
  }
}

function entryOf(file: FileWrite): TreeEntry | null {
  if ('remove' in file) return null;
  const oid = 'oid' in file ? file.oid : blobOid(file.content);
  return { path: file.path, oid, mode: file.mode ?? '100644' };
}

function modeOf(file: FileWrite) {
  return 'mode' in file && file.mode !== undefined ? { mode: file.mode } : {};
}

/** What git calls this content. */
export function blobOid(content: Uint8Array): Oid {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}
