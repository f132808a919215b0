import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ObjectHeap } from '../../test/git-input/bundles.ts';
import { bareRepository, git, temporaryDirectory } from '../../test/native-git.ts';
import { encodePack } from '../formats/packs/pack.ts';
import { createRepository } from './create-repository.ts';
import { nodeFileSystem as fs } from './files/node-file-system.ts';
import { nodeHost } from './files/node-host.ts';
import { judgePushes } from './judge-pushes.ts';

test('a new wiki takes no push that holds a repository with settings', async () => {
  const wiki = await newWiki();
  expect(() => git(hostileRepository(), ['push', '--quiet', wiki, 'main'])).toThrow(/hasDotgit/);
  expect(git(wiki, ['for-each-ref'])).toBe('');
});

test('a new wiki lets no push replace an object, nor what somebody replaced there be seen by git', async () => {
  const wiki = await newWiki();
  const author = bareRepository();
  const tree = git(author, ['mktree']);
  const commit = (subject: string) => git(author, ['commit-tree', tree, '-m', subject]);
  const [first, second] = [commit('first'), commit('second')];
  git(author, ['replace', second, first]);
  expect(() => git(author, ['push', '--quiet', wiki, 'refs/replace/*'])).toThrow(/hidden ref/);
  git(author, ['push', '--quiet', wiki, `${first}:refs/heads/other`, `${second}:refs/heads/main`]);
  git(wiki, ['update-ref', `refs/replace/${second}`, first]);
  expect(git(wiki, ['log', '-1', '--format=%s', 'main'])).toBe('second');
});

test('a wiki of an older version gets the settings when it is opened, and only once', async () => {
  const wiki = await newWiki();
  const config = join(wiki, 'config');
  const older = readFileSync(config, 'utf8').replace(/\t(fsckObjects|hideRefs|useReplaceRefs) = .*\n/g, '');
  writeFileSync(config, older);
  await Promise.all([judgePushes(fs, wiki), judgePushes(fs, wiki)]);
  await judgePushes(fs, wiki);
  expect(readFileSync(config, 'utf8')).toBe(
    `${older}[receive]\n\tfsckObjects = true\n[receive]\n\thideRefs = refs/replace\n[core]\n\tuseReplaceRefs = false\n`,
  );
  expect(git(wiki, ['config', '--get-all', 'receive.denyDeletes'])).toBe('true');
  expect(() => git(hostileRepository(), ['push', '--quiet', wiki, 'main'])).toThrow(/hasDotgit/);
});

test("a setting that a person made stays, and so does git's lock", async () => {
  const wiki = await newWiki();
  const config = join(wiki, 'config');
  git(wiki, ['config', 'receive.fsckObjects', 'false']);
  const decided = readFileSync(config, 'utf8');
  await judgePushes(fs, wiki);
  expect(readFileSync(config, 'utf8')).toBe(decided);
  git(wiki, ['config', '--unset', 'receive.fsckObjects']);
  const undecided = readFileSync(config, 'utf8');
  writeFileSync(`${config}.lock`, 'of git');
  await judgePushes(fs, wiki);
  expect(readFileSync(config, 'utf8')).toBe(undecided);
  expect(readFileSync(`${config}.lock`, 'utf8')).toBe('of git');
});

test('a repository that is not a wiki is left as it is', async () => {
  const repository = bareRepository();
  const before = readFileSync(join(repository, 'config'), 'utf8');
  await judgePushes(fs, repository);
  expect(readFileSync(join(repository, 'config'), 'utf8')).toBe(before);
  expect(readdirSync(repository)).not.toContain('config.lock');
});

async function newWiki(): Promise<string> {
  const directory = join(temporaryDirectory(), 'new.git');
  await createRepository({ fs, host: nodeHost(), directory, branch: 'main', shared: false });
  return directory;
}

function hostileRepository(): string {
  const heap = new ObjectHeap();
  const config = heap.add('blob', '[core]\n');
  const tip = heap.commit(heap.tree([['40000', '.git', heap.tree([['100644', 'config', config]])]]));
  const repository = bareRepository();
  const { packBytes, indexBytes } = encodePack(heap.objects);
  writeFileSync(join(repository, 'objects', 'pack', `pack-${tip}.pack`), packBytes);
  writeFileSync(join(repository, 'objects', 'pack', `pack-${tip}.idx`), indexBytes);
  git(repository, ['update-ref', 'refs/heads/main', tip]);
  return repository;
}
