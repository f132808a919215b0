import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { git, gitBytes, temporaryDirectory } from './native-git.ts';
import { commitFiles } from './operations/local-backends.ts';
import type { Files, TestWiki } from './operations/test-wiki.ts';

/** A repository of a person beside the wiki, from which native git makes what `git push` sends. */
export class Pusher {
  readonly directory: string;

  /** A clone of the wiki as it is now. */
  static async of(wiki: TestWiki): Promise<Pusher> {
    return Pusher.cloneOf((await wiki.git('rev-parse', '--absolute-git-dir')).trim());
  }

  static cloneOf(repository: string): Pusher {
    const directory = join(temporaryDirectory(), 'clone.git');
    cpSync(repository, directory, { recursive: true });
    for (const own of ['pagetree', 'hooks']) rmSync(join(directory, own), { recursive: true, force: true });
    return new Pusher(directory);
  }

  constructor(directory: string) {
    this.directory = directory;
  }

  git(...args: string[]): string {
    return git(this.directory, args).trim();
  }

  get head(): string {
    return this.git('rev-parse', 'main');
  }

  /** Commits these files on top of the branch, or of these parents, and moves it. */
  commit(
    files: Files,
    { parents, message = 'Pushed\n' }: { parents?: string[]; message?: string } = {},
  ): string {
    const onto = parents ?? (this.git('for-each-ref', 'refs/heads/main') === '' ? [] : [this.head]);
    const tree = this.tree(files, onto[0] ?? null);
    const named = onto.flatMap((parent) => ['-p', parent]);
    const commit = git(this.directory, ['commit-tree', tree, ...named, '-F', '-'], message).trim();
    this.git('update-ref', 'refs/heads/main', commit);
    return commit;
  }

  /** Runs `git fast-import`. */
  feed(commands: string): void {
    git(this.directory, ['fast-import', '--quiet', '--force'], commands);
  }

  /** The tree of a commit with these files written into it. */
  tree(files: Files, onto: string | null): string {
    const env = { GIT_INDEX_FILE: join(temporaryDirectory(), 'index') };
    if (onto !== null) gitBytes(this.directory, ['read-tree', onto], { env });
    for (const [path, content] of Object.entries(files)) {
      const blob = git(this.directory, ['hash-object', '-w', '--stdin'], content).trim();
      gitBytes(this.directory, ['update-index', '--add', '--cacheinfo', `100644,${blob},${path}`], { env });
    }
    return gitBytes(this.directory, ['write-tree'], { env }).toString().trim();
  }

  /** The pack that git sends for a push of `to` onto `from`. */
  pack(from: string | null, to: string, { thin = true, option = '--delta-base-offset' } = {}): Buffer {
    const options = ['pack-objects', '--stdout', '--revs', '--quiet', option];
    const input = `${to}\n${from === null ? '' : `^${from}\n`}`;
    return gitBytes(this.directory, [...options, ...(thin ? ['--thin'] : [])], { input });
  }
}

/** The input of a push, as the server of git's protocol passes it on. */
export function pushOf(pusher: Pusher, from: string | null, to: string, options?: { thin: boolean }) {
  return { from, to, content: pusher.pack(from, to, options).toString('base64') };
}

/** A repository of a person that has nothing in common with any wiki. */
export function strangerWith(files: Files): Pusher {
  const directory = join(temporaryDirectory(), 'stranger.git');
  git('/', ['init', '--quiet', '--bare', '--initial-branch=main', directory]);
  commitFiles(directory, files);
  return new Pusher(directory);
}
