import { spawnSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { CallInput, OperationName, Output } from '../../src/contract/operations.ts';
import { parseInput } from '../../src/contract/parse-input.ts';
import type { Call } from '../../src/contract/wiki.ts';
import { openWiki } from '../../src/open-wiki.ts';
import { bareRepository, git, gitBytes, temporaryDirectory } from '../native-git.ts';
import { commitFiles } from './local-backends.ts';

test.each([
  ['000', 0o000],
  ['022', 0o022],
])('no new file of a wiki is readable by other users under umask %s', async (_, mask) => {
  underUmask(mask);
  const directory = join(temporaryDirectory(), 'above', 'wikis');
  const workDirectory = join(temporaryDirectory(), 'work');
  const { run, settle } = await open(directory, { workDirectory });
  for (let page = 0; page < 30; page++)
    await run('write_page', { path: `Page ${page}`, content: `${page}\n` });
  await run('put_attachment', { path: 'a.csv', content: 'YQ==' });
  await run('search_pages', { query: 'Page' });
  await run('import_wiki', { wiki: 'imported', content: bundle() });
  await settle();
  const wiki = join(directory, 'main.git');

  const clone = join(temporaryDirectory(), 'clone');
  git(directory, ['clone', '--quiet', wiki, clone]);
  git(clone, ['commit', '--quiet', '--allow-empty', '-m', 'Pushed']);
  git(clone, ['push', '--quiet', 'origin', 'HEAD:main', 'HEAD:refs/heads/other']);
  await run('read_page', { path: 'Page 1' });
  await run('maintain_wiki', {});
  await settle();
  expect(openToOthers(directory)).toEqual([]);
  expect(openToOthers(workDirectory)).toEqual([]);
  expect(readdirSync(join(wiki, 'pagetree', 'index'))).not.toEqual([]);

  git(wiki, ['fsck', '--strict']);
  git(wiki, ['repack', '-adq', '--write-bitmap-index']);
  git(wiki, ['pack-refs', '--all']);
  git(wiki, ['commit-graph', 'write', '--reachable']);
  git(wiki, ['update-server-info']);
  expect(openToOthers(directory)).toEqual([]);
  git(wiki, ['fsck', '--strict']);
  git(directory, ['clone', '--quiet', '--mirror', wiki, join(temporaryDirectory(), 'mirror')]);
  await run('write_page', { path: 'After', content: 'git\n' });
});

test('on a shared mount others may read, as the functions that read run as another user', async () => {
  underUmask(0o022);
  const directory = join(temporaryDirectory(), 'wikis');
  const { run, settle } = await open(directory, { placement: 'shared' });
  await run('write_page', { path: 'Page', content: 'x\n' });
  await run('maintain_wiki', {});
  await settle();
  const closed = filesBelow(directory).filter((path) => (lstatSync(path).mode & 0o044) !== 0o044);
  expect(closed).toEqual([]);
  expect(git(join(directory, 'main.git'), ['config', '--default', 'none', 'core.sharedRepository'])).toBe(
    'none',
  );
});

test('a wiki that other users can read stays so and is reported, with the command that closes it', async () => {
  underUmask(0o022);
  const above = temporaryDirectory();
  const directory = join(above, 'wikis');
  mkdirSync(directory);
  const wiki = join(directory, 'main.git');
  git(directory, ['init', '--quiet', '--bare', '--initial-branch=main', wiki]);
  const { run } = await open(directory);
  await run('write_page', { path: 'Page', content: 'x\n' });
  const said = async () =>
    (await run('wiki_status', {})).problems.filter((text) => text.includes('Other users'));
  // Nobody else reaches what lies below this directory.
  expect(await said()).toEqual([]);
  chmodSync(above, 0o711);
  const [problem] = await said();
  expect(statSync(wiki).mode & 0o777).toBe(0o755);
  expect(problem).toContain(`\`chmod 700 ${wiki}\``);
  spawnSync('chmod', ['700', wiki]);
  expect(await said()).toEqual([]);
  chmodSync(wiki, 0o755);
  git(wiki, ['config', 'core.sharedRepository', 'group']);
  expect(await said()).toEqual([]);
});

test.each(['group', '0640', 'all', 'true'])(
  'a repository that git shares (%s) stays shared',
  async (shared) => {
    underUmask(0o022);
    const directory = join(temporaryDirectory(), 'wikis');
    mkdirSync(directory);
    const wiki = join(directory, 'main.git');
    git(directory, ['init', '--quiet', '--bare', '--initial-branch=main', `--shared=${shared}`, wiki]);
    const { run, settle } = await open(directory);
    await run('write_page', { path: 'Page', content: 'x\n' });
    await settle();
    const closed = filesBelow(wiki).filter((path) => (lstatSync(path).mode & 0o040) === 0);
    expect(closed).toEqual([]);
  },
);

function underUmask(mask: number): void {
  const before = process.umask(mask);
  onTestFinished(() => {
    process.umask(before);
  });
}

async function open(
  directory: string,
  options: { placement?: 'local' | 'shared'; workDirectory?: string } = {},
) {
  const host = { backend: 'local', versions: {}, problems: [] };
  const opened = await openWiki({ directory, wiki: null, placement: 'local', host, ...options });
  onTestFinished(() => opened.close());
  const call: Call = { caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: null } };
  async function run<Name extends OperationName>(name: Name, input: CallInput<Name>): Promise<Output<Name>> {
    const method = opened.wiki[name] as (input: unknown, call: Call) => Promise<unknown>;
    return (await method(parseInput(name, input), call)) as Output<Name>;
  }
  return { run, settle: opened.settle };
}

function bundle(): string {
  const repository = bareRepository();
  commitFiles(repository, { 'Home.md': '# Home\n' });
  return gitBytes(repository, ['bundle', 'create', '-', 'HEAD', 'main']).toString('base64');
}

function openToOthers(directory: string): string[] {
  return spawnSync('find', [directory, '-perm', '/077', '!', '-type', 'l'], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean);
}

/** All files and directories, but no links: these have no rights of their own. */
function filesBelow(directory: string): string[] {
  return spawnSync('find', [directory, '!', '-type', 'l'], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean);
}
