import type { Oid } from '../../contract/ids.ts';
import { liesIn } from '../../contract/scope.ts';
import type { LoggedCommit } from '../../core/commit-info.ts';
import type { NamedConflict } from '../../core/index-port.ts';
import { pagePathOf } from '../../core/paths/page-path.ts';
import type { Repository } from '../../core/ports.ts';
import { compareText } from '../../core/text/text-order.ts';
import { createPacer } from '../pacer.ts';
import { touchesOf } from './touches.ts';

/** The conflicts that are open as of `commit`, from git alone: reads the whole history if there are any. */
export async function scanConflicts(
  repository: Repository,
  commit: Oid,
  folders: readonly string[] = [''],
): Promise<NamedConflict[]> {
  const log: LoggedCommit[] = [];
  for await (const info of repository.log(commit)) log.push(info);
  const newest = new Map<string, Oid>();
  for (const { oid, marks } of log) {
    for (const path of pagesIn(marks?.open)) if (!newest.has(path)) newest.set(path, oid);
  }
  const open: NamedConflict[] = [];
  for (const [path, merge] of newest) {
    if (liesIn(folders, path) && (await isOpen(repository, log, { path, merge }))) open.push({ path, merge });
  }
  return open.sort((one, other) => compareText(one.path, other.path));
}

async function isOpen(
  repository: Repository,
  log: readonly LoggedCommit[],
  { path, merge }: NamedConflict,
): Promise<boolean> {
  const pacer = createPacer();
  const before = await ancestors(repository, merge);
  for (const commit of log) {
    if (before.has(commit.oid)) continue;
    const { touches } = await touchesOf(repository, commit, pacer);
    if (touches.some((touch) => touch.path === path)) return false;
    const settles = pagesIn(commit.marks?.settled).includes(path);
    if (settles && (await ancestors(repository, commit.oid)).has(merge)) return false;
  }
  return true;
}

async function ancestors(repository: Repository, commit: Oid): Promise<Set<Oid>> {
  const found = new Set<Oid>();
  for await (const { oid } of repository.log(commit)) found.add(oid);
  return found;
}

function pagesIn(treePaths: readonly string[] = []): string[] {
  return treePaths.flatMap((treePath) => pagePathOf(treePath) ?? []);
}
