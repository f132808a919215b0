import { join } from 'node:path';
import type { FileSystem } from '../../files/file-system.ts';
import type { Host } from '../../files/host.ts';
import { unlessGone } from '../../files/unless-gone.ts';
import { isGitAtWork } from './git-at-work.ts';

/**
 * A pack that was merged into another pack. It lost its index, so neither readers nor native git see it. Its
 * `.pack` keeps its name for a day, for a backup that listed the directory before the merge and copies the
 * files after it. A marker takes the place of the index: `pack-<name>.merged-<UTC hour>-<first digits of the
 * other pack's name>`.
 */
export interface RetiredPack {
  /** Between `pack-` and the ending. */
  name: string;
  /** More than one if native git made a pack of this name again and that one was merged too. */
  markers: string[];
  /** In milliseconds since 1970. The pack was retired before this time. */
  retiredBefore: number;
  /** True if the pack into which it was merged exists. In a copy of the files it may be missing. */
  isElsewhere: boolean;
}

export interface RetiredPackParts {
  fs: FileSystem;
  host: Host;
  /** `objects/pack`. */
  directory: string;
  /** True if only Pagetree writes here. */
  shared: boolean;
  /** All files that the last listing of the directory returned. */
  files: ReadonlySet<string>;
}

/** The number of packs to delete in parallel. */
const AT_ONCE = 20;
const HOUR_MS = 60 * 60 * 1000;
const KEPT_MS = 24 * HOUR_MS;
const MARKER = /^pack-([0-9a-f]{40})\.merged-(\d{4}-\d{2}-\d{2}T\d{2})-([0-9a-f]{12})$/;
const NAME_BEGIN = 12;

/** Retires a pack that `into` holds whole and durably. Throws what the file system throws. */
export async function retirePack(
  fs: FileSystem,
  directory: string,
  { name, into, now }: { name: string; into: string; now: number },
): Promise<void> {
  const path = join(directory, `pack-${name}`);
  const hour = new Date(now).toISOString().slice(0, 'yyyy-mm-ddThh'.length);
  // Another process may have merged the same pack.
  await unlessGone(() => fs.rename(`${path}.idx`, `${path}.merged-${hour}-${into.slice(0, NAME_BEGIN)}`));
}

/** The retired packs of a directory that holds these files. A pack that has an index again is not retired. */
export function retiredPacks(files: ReadonlySet<string>): RetiredPack[] {
  const markers = [...files].flatMap((marker) => {
    const [, name = '', hour, into = ''] = MARKER.exec(marker) ?? [];
    return hour === undefined ? [] : [{ marker, name, into, before: Date.parse(`${hour}:00Z`) + HOUR_MS }];
  });
  const names = [...files].flatMap((file) => /^pack-([0-9a-f]{40})\.idx$/.exec(file)?.[1] ?? []);
  const stored = [...names, ...markers.map(({ name }) => name)].filter((name) =>
    files.has(`pack-${name}.pack`),
  );
  const begins = new Set(stored.map((name) => name.slice(0, NAME_BEGIN)));
  const retired = new Map<string, RetiredPack>();
  for (const { marker, name, into, before } of markers.sort((a, b) => a.before - b.before)) {
    const older = retired.get(name)?.markers ?? [];
    const isElsewhere = begins.has(into);
    retired.set(name, { name, markers: [...older, marker], retiredBefore: before, isElsewhere });
  }
  return [...retired.values()].filter(({ name }) => !files.has(`pack-${name}.idx`));
}

/**
 * Deletes packs that were retired a day ago. The clock decides only how long a copy may take: a pack is
 * deleted only if the pack into which it was merged exists, or if `isCopied` confirms that its objects can be
 * read. Calls `goOn` before each step. Throws what the file system throws.
 */
export async function deleteRetiredPacks(
  { fs, host, directory, shared, files }: RetiredPackParts,
  isCopied: (name: string) => Promise<boolean>,
  goOn: (deleted: number) => boolean,
): Promise<void> {
  const due = retiredPacks(files).filter(({ retiredBefore }) => retiredBefore + KEPT_MS <= host.now());
  // Git may be making a pack of this name again.
  if (due.length === 0 || (!shared && (await isGitAtWork(fs, host, directory)))) return;
  for (let at = 0; at < due.length && goOn(at); at += AT_ONCE) {
    await Promise.all(due.slice(at, at + AT_ONCE).map(remove));
  }

  /** The markers go last: if this stops in between, the next run goes on. */
  async function remove({ name, markers, isElsewhere }: RetiredPack): Promise<void> {
    if (!isElsewhere && files.has(`pack-${name}.pack`) && !(await isCopied(name))) return;
    for (const file of [`pack-${name}.pack`, `pack-${name}.rev`, ...markers]) {
      if (files.has(file)) await unlessGone(() => fs.unlinkLast(join(directory, file)));
    }
  }
}
