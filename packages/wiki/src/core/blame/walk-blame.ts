import { throwIfCancelled } from '../../contract/errors.ts';
import type { Oid } from '../../contract/ids.ts';
import { yielding } from '../../scheduling/yielding.ts';
import type { CommitInfo } from '../commit-info.ts';
import { findPage } from '../pages/find-page.ts';
import type { Session } from '../session.ts';
import { decodeText } from '../text/text-encoding.ts';
import { unchangedLines } from './unchanged-lines.ts';

/** Limits for the part of the history to examine. A version of more than `lines` lines ends the walk too. */
export interface WalkLimits {
  versions: number;
  ms: number;
  lines: number;
}

export interface Blame {
  /** For each line the commit that wrote it; null if that is older than the examined history. */
  writers: (CommitInfo | null)[];
  /** The path that the page had at each of these commits. */
  paths: ReadonlyMap<Oid, string>;
  /** The commit at which the walk ended early: it or an older one wrote the lines without a writer. */
  stoppedAt: CommitInfo | null;
}

/**
 * The commit that wrote each line of a page. Walks back from version to version as `git blame` does: a
 * version passes on the lines that an older one has too, and keeps the others. Follows moves and every parent
 * of a merge.
 */
export async function walkBlame(
  session: Pick<Session, 'repository' | 'index' | 'now' | 'call'>,
  { commit, path, lines }: { commit: Oid; path: string; lines: readonly string[] },
  limits: WalkLimits,
): Promise<Blame> {
  const writers: (CommitInfo | null)[] = lines.map(() => null);
  const first = await versionAt(session, commit, path);
  const paths = new Map<Oid, string>();
  if (first === null) return { writers, paths, stoppedAt: null };
  const open = new OpenVersions();
  open.add(
    { ...first, lines },
    Array.from(lines, (_, at) => ({ here: at, last: at })),
  );
  const deadline = session.now() + limits.ms;
  const yieldIfDue = yielding();
  let left = limits.versions;
  /** Asked before each parent of a merge, which may have thousands. */
  const isInTime = async () => {
    await yieldIfDue();
    throwIfCancelled(session.call.signal);
    return session.now() <= deadline;
  };
  /** Asked before each version. */
  const goesOn = async () => {
    left -= 1;
    return left >= 0 && (await isInTime());
  };
  for (;;) {
    const newest = open.takeNewest();
    if (newest === null) return { writers, paths, stoppedAt: null };
    const { commit: stoppedAt, lines } = newest.version;
    if (lines.length > limits.lines || !(await goesOn())) return { writers, paths, stoppedAt };
    const own = await passOn(session, newest, open, { isInTime, goesOn });
    if (own === null) return { writers, paths, stoppedAt };
    if (own.length > 0) paths.set(stoppedAt.oid, newest.version.path);
    for (const { last } of own) writers[last] = newest.version.commit;
  }
}

/** A version of the page, and the newest commit that has it. */
interface Version {
  oid: Oid;
  commit: CommitInfo;
  path: string;
  /** The former path of the page if this commit moved it. */
  origin: string | null;
  lines: readonly string[];
}

/** A line of a version that is still this line of the page. */
interface Line {
  here: number;
  last: number;
}

interface Blamed {
  version: Version;
  lines: Line[];
}

/** Passes lines on to the versions before this one. Returns the lines that it wrote itself, null at a limit. */
async function passOn(
  session: Pick<Session, 'repository' | 'index'>,
  { version, lines }: Blamed,
  open: OpenVersions,
  { isInTime, goesOn }: Record<'isInTime' | 'goesOn', () => Promise<boolean>>,
): Promise<Line[] | null> {
  const { commit, oid } = version;
  for (const [place, parent] of commit.parents.entries()) {
    // The first one is counted as the version itself, here and below.
    if (place > 0 && !(await isInTime())) return null;
    const same = await pathOfVersion(session, parent, version, oid);
    if (same === null) continue;
    const before = await versionAt(session, parent, same, version);
    if (before !== null) open.add(before, lines);
    return [];
  }
  let own = lines;
  for (const [place, parent] of commit.parents.entries()) {
    if (place > 0 && !(await goesOn())) return null;
    const before =
      (await versionAt(session, parent, version.path, version)) ??
      (version.origin === null ? null : await versionAt(session, parent, version.origin, version));
    if (before === null) continue;
    const matches = unchangedLines(before.lines, version.lines);
    const passed = own.flatMap(({ here, last }) => {
      const there = matches[here] ?? -1;
      return there === -1 ? [] : [{ here: there, last }];
    });
    if (passed.length === 0) continue;
    open.add(before, passed);
    own = own.filter(({ here }) => matches[here] === -1);
  }
  return own;
}

/** The path at which a parent has the page as this version has it; null if it has another one, or none. */
async function pathOfVersion(
  { repository }: Pick<Session, 'repository'>,
  parent: Oid,
  { path, origin }: Version,
  oid: Oid,
): Promise<string | null> {
  const snapshot = await repository.at(parent);
  const entry = await findPage(snapshot, path);
  if (entry !== null) return entry.oid === oid ? path : null;
  if (origin === null) return null;
  return (await findPage(snapshot, origin))?.oid === oid ? origin : null;
}

/** The page after a commit. `known` is a version whose text need not be read again. */
async function versionAt(
  { repository, index }: Pick<Session, 'repository' | 'index'>,
  commit: Oid,
  path: string,
  known?: Version,
): Promise<Version | null> {
  const snapshot = await repository.at(commit);
  const entry = await findPage(snapshot, path);
  if (entry === null) return null;
  const { oid } = entry;
  const lines = known?.oid === oid ? known.lines : linesOf(decodeText(await snapshot.blob(oid)).text);
  const { entries } = await index.history({ commit, path, offset: 0, limit: 1, pagesMost: 0 });
  const touch = entries[0];
  if (touch?.version === oid) return { oid, commit: touch.commit, path, origin: touch.origin, lines };
  // After a merge, the newest change in the order of the log may belong to the side that lost. Then each
  // commit is examined. Such a commit made no line, so nobody sees its message, which may name files outside
  // a scope.
  return { oid, commit: { ...(await repository.commit(commit)), message: '' }, path, origin: null, lines };
}

/** The lines of a text with their line feeds: for git, a last line without one is a different line. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Versions that may have written lines. A merge can be reached on several paths. */
class OpenVersions {
  readonly #open = new Map<string, Blamed>();

  add(version: Version, lines: Line[]): void {
    const key = `${version.commit.oid} ${version.path}`;
    const blamed = this.#open.get(key);
    if (blamed === undefined) this.#open.set(key, { version, lines });
    else blamed.lines = blamed.lines.concat(lines);
  }

  takeNewest(): Blamed | null {
    let newest: [string, Blamed] | null = null;
    for (const each of this.#open) {
      if (newest === null || each[1].version.commit.committed > newest[1].version.commit.committed)
        newest = each;
    }
    if (newest === null) return null;
    this.#open.delete(newest[0]);
    return newest[1];
  }
}
