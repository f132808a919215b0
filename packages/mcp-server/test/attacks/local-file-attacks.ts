import { execFile } from 'node:child_process';
import { mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { git } from '../git.ts';
import { type Attack, call, callTool, keepsSecret, shown, type Targets } from './attack.ts';

const NOT = ['forbidden', 'not_found', 'invalid_input'];

/** Paths that lead out of the allowed folder, or to something that is not a regular file. */
const OUT: Record<string, string> = {
  'the folder above': '..',
  'a file above': '../secret.md',
  'a folder whose name begins alike': '../files-secret/secret.md',
  'the same through the folder itself': '../files/../files-secret/secret.md',
  'the root': '/',
  'the users of the machine': '/etc/passwd',
  'the environment of the server': '/proc/self/environ',
  'the memory of the server': '/proc/self/mem',
  'what the server has open': '/proc/self/fd/0',
  'the root of a process': '/proc/self/root/etc/passwd',
  'the folder of the server': '/proc/self/cwd',
  'an endless device': '/dev/zero',
  'a device that blocks': '/dev/tty',
  'a home': '~/.ssh/id_rsa',
  'an address of a file': 'file:///etc/passwd',
  'a share of Windows': '\\\\host\\share\\secret.md',
  'a NUL': 'a\0/../../secret.md',
  'a path of 4,000 letters': `${'a/'.repeat(2_000)}b`,
  'a name of 300 letters': 'n'.repeat(300),
};

const SAVES = [
  ...[
    '.git/hooks/pre-commit',
    '.envrc',
    '.claude/settings.json',
    'a/.b/c',
    '.ssh',
    './.git/config',
    'x/../.git/config',
  ],
  ...[
    '../out.md',
    '../files-secret/new.md',
    '/tmp/pagetree-attack',
    '/etc/cron.d/x',
    '/proc/self/mem',
    '/dev/null',
    'missing/a.md',
    '',
  ],
];

/** Ways in which a folder under git leads to a repository outside of `--files`. */
const LEADS: Record<string, (repository: string, outside: string) => Promise<void>> = {
  '.git that is a link': (repository, outside) => replaced(join(repository, '.git'), join(outside, '.git')),
  'objects that are a link': (repository, outside) =>
    replaced(join(repository, '.git/objects'), join(outside, '.git/objects')),
  'refs that are a link': (repository, outside) =>
    replaced(join(repository, '.git/refs'), join(outside, '.git/refs')),
  'a HEAD that is a link': (repository, outside) =>
    replaced(join(repository, '.git/HEAD'), join(outside, '.git/HEAD')),
  'a .git that names another folder': async (repository, outside) => {
    await rm(join(repository, '.git'), { recursive: true });
    await writeFile(join(repository, '.git'), `gitdir: ${join(outside, '.git')}\n`);
  },
  'a commondir outside': (repository, outside) =>
    writeFile(join(repository, '.git/commondir'), `${join(outside, '.git')}\n`),
  'alternates outside': (repository, outside) => borrow(repository, outside, join(outside, '.git/objects')),
  'alternates by a relative path': (repository, outside) =>
    borrow(repository, outside, '../../../../../secret-repository/.git/objects'),
  'alternates by a link': async (repository, outside) => {
    const link = join(dirname(repository), 'borrowed');
    await symlink(join(outside, '.git/objects'), link);
    await borrow(repository, outside, link);
  },
  'a worktree elsewhere': (repository, outside) =>
    git(repository, 'config', 'core.worktree', outside).then(() => undefined),
  'a HEAD of 900 MB': (repository) => truncate(join(repository, '.git/HEAD'), 900_000_000),
  'a branch of 900 MB': (repository) => truncate(join(repository, '.git/refs/heads/main'), 900_000_000),
  'packed refs of 900 MB': async (repository) => {
    await git(repository, 'pack-refs', '--all');
    await truncate(join(repository, '.git/packed-refs'), 900_000_000);
  },
  'a FIFO for its HEAD': async (repository) => {
    await rm(join(repository, '.git/HEAD'));
    await fifo(join(repository, '.git/HEAD'));
  },
  'a FIFO for its branch': async (repository) => {
    await rm(join(repository, '.git/refs/heads/main'));
    await fifo(join(repository, '.git/refs/heads/main'));
  },
  'a FIFO for its configuration': async (repository) => {
    await rm(join(repository, '.git/config'));
    await fifo(join(repository, '.git/config'));
  },
};

/** Nothing reads these, and the repository is sound without them. */
const HARMLESS = ['a worktree elsewhere', 'a FIFO for its configuration'];

/** The branch is at a commit that only the other repository has. */
async function borrow(repository: string, outside: string, objects: string): Promise<void> {
  await writeFile(join(repository, '.git/objects/info/alternates'), `${objects}\n`);
  await writeFile(join(repository, '.git/refs/heads/main'), `${await git(outside, 'rev-parse', 'main')}\n`);
}

async function replaced(path: string, target: string): Promise<void> {
  await rm(path, { recursive: true });
  await symlink(target, path);
}

async function fifo(path: string): Promise<void> {
  await promisify(execFile)('env', ['mkfifo', path]);
}

async function repositoryIn(directory: string, page: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'Home.md'), page);
  await git(directory, 'init', '--quiet', '--initial-branch=main');
  await git(directory, 'add', '.');
  await git(directory, '-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '--quiet', '-m', 'm');
}

function leading([name, lead]: [string, (repository: string, outside: string) => Promise<void>]): Attack {
  return {
    name: `a repository with ${name}`,
    on: 'whole',
    answers: HARMLESS.includes(name) ? ['ok', ...NOT] : NOT,
    async act({ whole, files }, round) {
      const outside = join(dirname(files), 'secret-repository');
      const place = join(files, round, 'repository');
      await rm(outside, { recursive: true, force: true });
      await repositoryIn(outside, 'SECRET of the repository');
      await repositoryIn(place, 'allowed');
      await lead(place, outside);
      const outcome = await callTool(whole, 'import_wiki', { wiki: `leads-${round}`, local_path: place });
      if (outcome.code === 'ok')
        keepsSecret(await callTool(whole, 'read_page', { wiki: `leads-${round}`, path: 'Home' }));
      keepsSecret(outcome);
      return outcome;
    },
  };
}

/** Folders of files that contain something that must not be read. */
const FOLDERS: Record<string, (folder: string, outside: string) => Promise<void>> = {
  'a link to a file outside': (folder, outside) => symlink(join(outside, 'secret.md'), join(folder, 'a.md')),
  'a link to a folder outside': (folder, outside) =>
    symlink(join(outside, 'files-secret'), join(folder, 'a')),
  'a link to itself': (folder) => symlink('.', join(folder, 'a')),
  'a link in a circle': (folder) => symlink('a.md', join(folder, 'a.md')),
  'a link to a device': (folder) => symlink('/dev/zero', join(folder, 'a.md')),
  'a FIFO': (folder) => fifo(join(folder, 'a.md')),
};

export const localFileAttacks: Attack[] = [
  ...Object.entries(OUT).flatMap(([name, local_path]) => [
    call(`putting ${name}`, 'put_attachment', { path: 'stolen.txt', local_path }, NOT, keepsSecret),
    call(`importing ${name}`, 'import_wiki', { wiki: 'stolen', local_path }, NOT, keepsSecret),
  ]),
  ...SAVES.map((local_path) =>
    call(`saving to ${shown(local_path)}`, 'export_wiki', { local_path, format: 'zip' }, [
      ...NOT,
      'already_exists',
      'backend_unavailable',
    ]),
  ),
  ...Object.entries(LEADS).map(leading),
  ...Object.entries(FOLDERS).map(
    ([name, make]): Attack => ({
      name: `a folder with ${name}`,
      on: 'whole',
      answers: ['ok', ...NOT, 'invalid_path'],
      async act({ whole, files }: Targets, round) {
        const folder = join(files, round);
        await mkdir(folder);
        await writeFile(join(folder, 'Fine.md'), 'fine');
        await make(folder, dirname(files));
        const outcome = await callTool(whole, 'import_wiki', { wiki: `folder-${round}`, local_path: folder });
        if (outcome.code === 'ok') {
          for (const path of ['a', 'a/secret'])
            keepsSecret(await callTool(whole, 'read_page', { wiki: `folder-${round}`, path }));
        }
        return outcome;
      },
    }),
  ),
];
