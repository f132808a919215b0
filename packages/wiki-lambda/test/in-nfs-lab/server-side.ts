import { execFileSync } from 'node:child_process';

/** The repository of the wiki `main`, as nfs-lab's server has it. */
const repository = '/run/srv/wikis/main.git';

/** Runs native git on the server, where the wiki's files belong to another user. */
export function nativeGit(...words: string[]): string {
  const command = ['-c', 'safe.directory=*', '-C', repository, ...words];
  return execFileSync('git', command, { encoding: 'utf8', maxBuffer: 2 ** 26 }).trimEnd();
}

/** The state according to native git: commits of the branch, its pages, and the findings of fsck. */
export function nativeView(): { fsck: string; commits: number; pages: string[] } {
  return {
    fsck: nativeGit('fsck', '--strict', '--full', '--no-dangling'),
    commits: Number(nativeGit('rev-list', '--count', 'main')),
    pages: nativeGit('-c', 'core.quotePath=false', 'ls-tree', '-r', '--name-only', 'main').split('\n'),
  };
}

/** Lines of a page in the branch. */
export function linesOf(path: string): string[] {
  return nativeGit('cat-file', 'blob', `main:${path}.md`).split('\n');
}
