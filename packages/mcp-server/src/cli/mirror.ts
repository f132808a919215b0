import { realpathSync, watch } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { runMirror } from '@pagetree/mirror/run-mirror';
import type { Author, Scope, Wiki } from '@pagetree/wiki/contract';

export interface MirrorCommand {
  folder: string;
  wiki: Wiki;
  /** The directory of wikis; null if they are in another process. */
  wikis: string | null;
  name: string | null;
  author: Author;
  scope: Scope | null;
  lookEveryMs: number;
  signal: AbortSignal;
  platform: string;
  now: () => number;
  randomBytes: (count: number) => Uint8Array;
  say: (sentence: string) => void;
}

/** Keeps a folder in step until the signal comes. Returns null, or the sentence that explains why it ended before. */
export async function mirrorFolder(command: MirrorCommand): Promise<string | null> {
  const { author, scope } = command;
  const folder = withoutLinks(command.folder);
  const wikis = command.wikis === null ? null : withoutLinks(command.wikis);
  if (wikis !== null && (isBelow(wikis, folder) || isBelow(folder, wikis))) {
    return `${folder} cannot be a mirror: the wikis themselves are in ${wikis}. Choose a folder apart from it.`;
  }
  return runMirror({
    ...command,
    folder,
    watch,
    call: { caller: { author, agent: null }, scope: scope ?? undefined },
  });
}

/** The same place by its real path. Its end may not be there yet. */
function withoutLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isMissing || dirname(path) === path) return path;
    return join(withoutLinks(dirname(path)), basename(path));
  }
}

function isBelow(folder: string, inner: string): boolean {
  const way = relative(folder, inner);
  return way === '' || !(way.startsWith('..') || isAbsolute(way));
}
