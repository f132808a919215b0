import { execFileSync } from 'node:child_process';
import { appendFile, cp, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { builtServer, temporaryDirectory } from '../built-server.ts';
import { git } from '../git.ts';
import { SdkClient } from '../sdk-client.ts';

let parent: string;
let files: string;
let wiki: SdkClient;
let repository: string;
let count = 0;

/** Repositories outside of the allowed folder: the first exists, the second does not. */
const OUTSIDE = ['present', 'missing'] as const;

beforeAll(async () => {
  const [bundle, directory] = await Promise.all([builtServer(), temporaryDirectory()]);
  parent = directory;
  files = join(parent, 'files');
  await mkdir(files);
  await makeRepository(join(parent, 'present'), 'secret');
  wiki = await new SdkClient(process.execPath, [
    bundle,
    '--dir',
    join(parent, 'wikis'),
    '--files',
    files,
  ]).connect();
});

afterAll(() => wiki.close());

beforeEach(async () => {
  count += 1;
  repository = join(files, `repository-${count}`);
  await makeRepository(repository, 'allowed');
});

describe('a repository in the folder of --files does not lead out of it', () => {
  const git_ = (outside: string, ...parts: string[]) => join(parent, outside, '.git', ...parts);
  const linked =
    (...parts: string[]) =>
    async (outside: string) => {
      await rm(join(repository, '.git', ...parts), { recursive: true });
      await symlink(git_(outside, ...parts), join(repository, '.git', ...parts));
    };
  const ways: Record<string, (outside: string) => Promise<void>> = {
    'through .git as a link': async (outside) => {
      await rm(join(repository, '.git'), { recursive: true });
      await symlink(git_(outside), join(repository, '.git'));
    },
    'through .git as a relative link': async (outside) => {
      await rm(join(repository, '.git'), { recursive: true });
      await symlink(`../../${outside}/.git`, join(repository, '.git'));
    },
    'through a file .git': async (outside) => {
      await rm(join(repository, '.git'), { recursive: true });
      await writeFile(join(repository, '.git'), `gitdir: ${git_(outside)}\n`);
    },
    'through commondir': (outside) => writeFile(join(repository, '.git', 'commondir'), `${git_(outside)}\n`),
    'through objects': linked('objects'),
    'through refs': linked('refs'),
    'through refs/heads': linked('refs', 'heads'),
    'through the branch': linked('refs', 'heads', 'main'),
    'through HEAD': linked('HEAD'),
    'through the packs': async (outside) => {
      await git(repository, 'repack', '-adq');
      await linked('objects', 'pack')(outside);
    },
    'through one pack': async (outside) => {
      await git(repository, 'repack', '-adq');
      const packs = join(repository, '.git', 'objects', 'pack');
      const [pack = ''] = (await readdir(packs)).filter((name) => name.endsWith('.pack'));
      await rm(join(packs, pack));
      await symlink(git_(outside, 'HEAD'), join(packs, pack));
    },
    'through packed-refs': async (outside) => {
      await git(repository, 'pack-refs', '--all');
      await linked('packed-refs')(outside);
    },
    'through alternates': (outside) => borrow(repository, git_(outside, 'objects')),
    'through relative alternates': (outside) => borrow(repository, `../../../../${outside}/.git/objects`),
    'through alternates of alternates': async (outside) => {
      const between = join(files, `between-${count}-${outside}`);
      await makeRepository(between, 'between');
      await borrow(between, git_(outside, 'objects'));
      await borrow(repository, join(between, '.git', 'objects'));
    },
    'through a link in alternates': async (outside) => {
      await symlink(git_(outside, 'objects'), join(files, `link-${count}-${outside}`));
      await borrow(repository, join(files, `link-${count}-${outside}`));
    },
  };

  test.each(Object.entries(ways))('%s', async (_, lead) => {
    const whole = `${repository}-whole`;
    await cp(repository, whole, { recursive: true, verbatimSymlinks: true });
    const answers: string[] = [];
    for (const outside of OUTSIDE) {
      await rm(repository, { recursive: true });
      await cp(whole, repository, { recursive: true, verbatimSymlinks: true });
      await lead(outside);
      const answer = await wiki.error('import_wiki', { wiki: `stolen-${count}`, local_path: repository });
      answers.push(answer.replaceAll(outside, 'OUTSIDE'));
    }
    // The answer must not reveal whether anything exists there.
    expect(answers[0]).toBe(answers[1]);
    expect(answers[0]).toMatch(/^(forbidden|invalid_input): /);
    expect((await wiki.ok('list_wikis')).wikis).not.toContain(`stolen-${count}`);
  });

  test('and a folder whose name begins like an allowed one is not allowed', async () => {
    const beside = `${files}-secret`;
    await makeRepository(beside, 'secret');
    await writeFile(join(beside, 'a.txt'), 'secret');
    const refusals = [
      await wiki.error('put_attachment', { path: 'a.txt', local_path: join(beside, 'a.txt') }),
      await wiki.error('put_attachment', { path: 'a.txt', local_path: '../files-secret/a.txt' }),
      await wiki.error('import_wiki', { wiki: 'beside', local_path: beside }),
      await wiki.error('export_wiki', { local_path: join(beside, 'new') }),
    ];
    await symlink(join(beside, 'a.txt'), join(files, 'link-beside'));
    refusals.push(await wiki.error('put_attachment', { path: 'a.txt', local_path: 'link-beside' }));
    for (const refusal of refusals) expect(refusal).toMatch(/^forbidden: /);
    expect(await readdir(beside)).not.toContain('new');
  });

  test('nor does the path of a call', async () => {
    const answers: string[] = [];
    for (const outside of OUTSIDE) {
      const link = join(files, `link-to-${outside}`);
      await symlink(join(parent, outside, '.git', 'HEAD'), link);
      const put = await wiki.error('put_attachment', { path: 'a.txt', local_path: link });
      const imported = await wiki.error('import_wiki', { wiki: 'x', local_path: link });
      const saved = await wiki.error('export_wiki', { local_path: join(link, 'new') });
      answers.push([put, imported, saved].join('\n').replaceAll(outside, 'OUTSIDE'));
    }
    expect(answers[0]).toBe(answers[1]);
    expect(answers[0]).toMatch(/^forbidden: /);
  });
});

describe('what lies in the folder of --files is imported', () => {
  test('a repository whose ref names a missing commit, or that lacks or damaged an object, is refused as such', async () => {
    const [commit, tree] = await Promise.all(
      ['HEAD', 'HEAD^{tree}'].map(async (name) => (await git(repository, 'rev-parse', name)).trim()),
    );
    const fileOf = (oid = '') => join(repository, '.git', 'objects', oid.slice(0, 2), oid.slice(2));
    const refusal = () => wiki.error('import_wiki', { wiki: 'lacking', local_path: repository });
    const whole = await readFile(fileOf(tree));
    await rm(fileOf(tree));
    const damaged =
      /^invalid_input: The repository cannot be imported, since it is not complete or damaged: /;
    expect(await refusal()).toMatch(damaged);
    expect(await refusal()).toContain(tree);
    await writeFile(fileOf(tree), whole.subarray(0, 10));
    expect(await refusal()).toMatch(damaged);
    await rm(fileOf(commit));
    expect(await refusal()).toContain(commit);
    await writeFile(join(repository, '.git', 'refs', 'heads', 'main'), `${'a'.repeat(40)}\n`);
    expect(await refusal()).toMatch(damaged);
    expect(await refusal()).toContain('a'.repeat(40));
    expect((await wiki.ok('list_wikis')).wikis).not.toContain('lacking');
  });

  test('a linked worktree, whose .git is a file, with its own HEAD', async () => {
    await git(repository, 'worktree', 'add', '-q', '-b', 'other', `${repository}-worktree`);
    await writeFile(join(`${repository}-worktree`, 'Other.md'), 'other');
    await git(`${repository}-worktree`, 'add', '.');
    await git(`${repository}-worktree`, 'commit', '-qm', 'Other');
    const imported = await wiki.ok('import_wiki', {
      wiki: 'worktree',
      local_path: `${repository}-worktree`,
    });
    expect(imported).toMatchObject({ kind: 'history', commits: 2, pages: 2 });
  });

  test('a repository that borrows objects from another one in it, and one behind links in it', async () => {
    const borrower = `${repository}-borrower`;
    await git(files, 'clone', '-q', '--shared', repository, borrower);
    expect(await wiki.ok('import_wiki', { wiki: 'borrower', local_path: borrower })).toMatchObject({
      pages: 1,
    });
    await rename(join(repository, '.git'), join(files, 'elsewhere.git'));
    await symlink('../elsewhere.git', join(repository, '.git'));
    expect(await wiki.ok('import_wiki', { wiki: 'behind-links', local_path: repository })).toMatchObject({
      pages: 1,
    });
  });

  test('but a HEAD that leads out of the branches names no commit', async () => {
    await writeFile(join(repository, '.git', 'HEAD'), 'ref: refs/heads/../heads/main\n');
    expect(await wiki.error('import_wiki', { wiki: 'x', local_path: repository })).toMatch(
      /the HEAD of the repository names no commit/,
    );
  });

  test('and a .git that names a repository at great length is not read', async () => {
    await rename(join(repository, '.git'), join(files, `long-${count}.git`));
    const lines = (count_: number) => `gitdir: ../long-${count}.git${'\n'.repeat(count_)}`;
    await writeFile(join(repository, '.git'), lines(20_000));
    expect(await wiki.error('import_wiki', { wiki: 'long', local_path: repository })).toMatch(/^too_large: /);
    await writeFile(join(repository, '.git'), lines(2_000));
    expect(await wiki.ok('import_wiki', { wiki: 'long', local_path: repository })).toMatchObject({
      pages: 1,
    });
  });

  test('but a .git that names nothing is refused in plain words', async () => {
    await rm(join(repository, '.git'), { recursive: true });
    await writeFile(join(repository, '.git'), 'nonsense\n');
    expect(await wiki.error('import_wiki', { wiki: 'x', local_path: repository })).toMatch(
      /its `\.git` is neither a directory nor a file that names one/,
    );
  });
});

describe('what is no regular file does not block', () => {
  const pipes: Record<string, () => Promise<string>> = {
    'the path itself': async () => join(files, `pipe-${count}`),
    'a file of a folder': async () => {
      await rm(join(repository, '.git'), { recursive: true });
      return join(repository, 'Pipe.md');
    },
    '.git': async () => {
      await rm(join(repository, '.git'), { recursive: true });
      return join(repository, '.git');
    },
    HEAD: async () => join(repository, '.git', 'HEAD'),
    'the branch': async () => join(repository, '.git', 'refs', 'heads', 'main'),
    'packed-refs': async () => {
      // It is read only if the branch is in no file of its own.
      await rm(join(repository, '.git', 'refs', 'heads', 'main'));
      return join(repository, '.git', 'packed-refs');
    },
    alternates: async () => {
      await borrow(repository, '/nowhere');
      return join(repository, '.git', 'objects', 'info', 'alternates');
    },
    'the directory of packs': async () => {
      await rm(join(repository, '.git', 'objects', 'pack'), { recursive: true });
      return join(repository, '.git', 'objects', 'pack');
    },
  };

  test.each(Object.entries(pipes))('%s as a FIFO', async (name, placeOf) => {
    const place = await placeOf();
    await rm(place, { force: true });
    execFileSync('/usr/bin/env', ['mkfifo', place]);
    const local_path = name === 'the path itself' ? place : repository;
    // To open a FIFO would wait for ever.
    const result = await wiki.call('import_wiki', { wiki: `fifo-${count}`, local_path });
    expect(result.isError).toBe(true);
    if (local_path !== place) return;
    expect(await wiki.error('put_attachment', { path: 'a.txt', local_path })).toMatch(/is not a file/);
  });

  test('a device as a file of a folder', async () => {
    await rm(join(repository, '.git'), { recursive: true });
    await symlink('/dev/zero', join(repository, 'Zero.md'));
    expect(await wiki.error('import_wiki', { wiki: 'x', local_path: repository })).toMatch(
      /"Zero\.md": it is a link out of the folder/,
    );
  });
});

async function makeRepository(directory: string, text: string): Promise<void> {
  await mkdir(directory);
  await git(directory, 'init', '-q', '--initial-branch=main');
  await git(directory, 'config', 'user.name', 'Test');
  await git(directory, 'config', 'user.email', 'test@example.org');
  await writeFile(join(directory, 'Page.md'), text);
  await git(directory, 'add', '.');
  await git(directory, 'commit', '-qm', text);
}

/** Adds an alternate, and removes the repository's own copy of the objects. */
async function borrow(directory: string, objects: string): Promise<void> {
  await mkdir(join(directory, '.git', 'objects', 'info'), { recursive: true });
  await appendFile(join(directory, '.git', 'objects', 'info', 'alternates'), `${objects}\n`);
  const secret = (await readFile(join(parent, 'present', '.git', 'refs', 'heads', 'main'))).toString();
  await writeFile(join(repository, '.git', 'refs', 'heads', 'main'), secret);
}
