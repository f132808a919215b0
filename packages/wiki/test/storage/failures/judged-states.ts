import { createHash, type Hash } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The states of a wiki that were judged: crashes before, in and after calls that change nothing leave the same one. */
export interface JudgedStates {
  /** True if no equal state with the same acknowledged writes was judged before. */
  isNew(directory: string, acknowledged: ReadonlySet<string>): boolean;
  readonly count: number;
}

export function openJudgedStates(): JudgedStates {
  const judged = new Set<string>();
  return {
    isNew(directory, acknowledged) {
      const hash = createHash('sha256').update(JSON.stringify([...acknowledged].sort()));
      addDirectory(hash, directory);
      const state = hash.digest('hex');
      const isNew = !judged.has(state);
      judged.add(state);
      return isNew;
    },
    get count() {
      return judged.size;
    },
  };
}

function addDirectory(hash: Hash, directory: string): void {
  const entries = readdirSync(directory, { withFileTypes: true });
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) {
      hash.update(`directory ${entry.name}\0`);
      addDirectory(hash, path);
    } else if (entry.isSymbolicLink()) {
      hash.update(`link ${entry.name}\0${readlinkSync(path)}\0`);
    } else {
      const content = readFileSync(path);
      hash.update(`file ${entry.name}\0${statSync(path).mode} ${content.length}\0`).update(content);
    }
  }
  hash.update('end\0');
}
