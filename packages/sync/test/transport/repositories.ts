import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { git, gitBytes, temporaryDirectory } from '../../../wiki/test/native-git.ts';

/** A repository with a work tree: the other side of a remote in these tests. */
export interface Local {
  directory: string;
  /** Commits a page, and returns the commit. */
  commit(page: string, text: string): string;
  /** A pack as a push sends it: thin, with what `to` reaches and `from` does not. */
  pack(to: string, from?: string | null): Uint8Array;
  /** Takes a pack in, thin or not, and checks that everything below the commit is there. */
  take(pack: Uint8Array | null, tip: string): void;
}

export function localRepository(bare?: string): Local {
  const directory = join(temporaryDirectory(), 'local');
  if (bare === undefined) git('/', ['init', '--quiet', '--initial-branch=main', directory]);
  else git('/', ['clone', '--quiet', bare, directory]);
  return {
    directory,
    commit(page, text) {
      writeFileSync(join(directory, page), text);
      git(directory, ['add', '--all']);
      git(directory, ['commit', '--quiet', '--message', `Change ${page}`]);
      return git(directory, ['rev-parse', 'HEAD']);
    },
    pack(to, from = null) {
      const revisions = from === null ? to : `${to}\n^${from}`;
      return gitBytes(
        directory,
        ['pack-objects', '--quiet', '--revs', '--thin', '--stdout', '--delta-base-offset'],
        {
          input: `${revisions}\n`,
        },
      );
    },
    take(pack, tip) {
      if (pack !== null)
        gitBytes(directory, ['index-pack', '--stdin', '--fix-thin', '--strict'], { input: pack });
      git(directory, ['rev-list', '--objects', '--quiet', tip]);
    },
  };
}

/** An empty bare repository, whose name is one that `git http-backend` serves here. */
export function emptyRepository(...options: string[]): string {
  const bare = join(temporaryDirectory(), 'main.git');
  git('/', ['init', '--quiet', '--bare', '--initial-branch=main', ...options, bare]);
  return bare;
}

/** A bare repository with two commits on its branch. */
export function filledRepository() {
  const bare = emptyRepository();
  const writer = localRepository();
  const first = writer.commit('Start.md', `# Start\n\n${LONG}`);
  const second = writer.commit('Start.md', `# Start\n\n${LONG}And an end.\n`);
  git(writer.directory, ['push', '--quiet', bare, 'main']);
  const head = (branch = 'main') => git(bare, ['rev-parse', branch]);
  const change = (page: string, text: string) => {
    const oid = writer.commit(page, text);
    git(writer.directory, ['push', '--quiet', bare, 'main']);
    return oid;
  };
  return { bare, writer, first, second, head, change };
}

/** Long enough for git to store the next version as a delta. */
const LONG = Array.from({ length: 200 }, (_, at) => `Line ${at} of ${at * 7919}.\n`).join('');
