import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installPrograms } from '../../../labs/requirements.ts';
import { localRepository } from '../../sync/test/transport/repositories.ts';
import { git } from '../../wiki/test/native-git.ts';
import { startWorld, TOKEN, type World } from './lab-world.ts';

let world: World;

beforeAll(async () => {
  await installPrograms({ openssl: 'openssl' });
  world = await startWorld();
});
afterAll(() => world.stop());

test('a change here reaches the remote, and one there comes in', async () => {
  await world.makeSecret(world.secretOf('main'), `${TOKEN}\n`);
  await world.add('main', { token_from: `secret:${world.secretOf('main')}` });
  const { commit } = await world.run('write_page', 'main', { path: 'Home', content: LINES });
  // Two at once do no harm.
  await Promise.all([world.round(), world.round()]);
  expect(await world.report('main')).toMatchObject({ state: 'in_step', tip: commit });
  expect(remoteHead()).toBe(commit);

  const theirs = commitThere('Theirs.md', 'By a person.\n');
  await world.makeDue('main');
  await world.round();
  expect(await world.report('main')).toMatchObject({ state: 'in_step', tip: theirs });
  expect(await world.run('read_page', 'main', { path: 'Theirs' })).toMatchObject({
    content: 'By a person.\n',
  });
  requireSound();
});

test('where both sides changed a line, the text of the wiki stays, and both have the merge', async () => {
  const { version } = await world.run('read_page', 'main', { path: 'Home' });
  const theirs = commitThere('Home.md', LINES.replace('Line 3', 'Their line 3'));
  const content = LINES.replace('Line 3', 'Our line 3');
  const { commit: ours } = await world.run('write_page', 'main', { path: 'Home', content, version });
  await world.round();
  const report = await world.report('main');
  expect(report).toMatchObject({ state: 'in_step', tip: remoteHead() });
  expect(report?.words).toContain('Both sides changed the same lines of "Home.md"');
  expect(await world.run('read_page', 'main', { path: 'Home' })).toMatchObject({ content });
  for (const commit of [ours ?? '', theirs])
    git(world.bare('main'), ['merge-base', '--is-ancestor', commit, 'main']);
  requireSound();
});

test('one folder of a repository is the wiki, and the rest stays as it is', async () => {
  await world.makeSecret(world.secretOf('folder'), TOKEN);
  const bare = world.bare('folder');
  git(bare, ['config', 'uploadpack.allowFilter', 'true']);
  const person = localRepository();
  person.commit('main.c', 'int main;\n');
  mkdirSync(join(person.directory, 'docs'));
  person.commit('docs/Theirs.md', 'By a person.\n');
  git(person.directory, ['push', '--quiet', bare, 'HEAD:main']);
  await world.run('write_page', 'folder', { path: 'Ours', content: 'By the wiki.\n' });
  await world.add('folder', { folder: 'docs', token_from: `secret:${world.secretOf('folder')}` });
  await world.round();
  expect(await world.report('folder')).toMatchObject({ state: 'in_step' });
  const { commit } = await world.run('append_to_page', 'folder', { path: 'Ours', content: 'More.\n' });
  await world.round();
  expect(await world.report('folder')).toMatchObject({ state: 'in_step', tip: commit });
  expect(git(bare, ['ls-tree', '-r', '--name-only', 'main']).split('\n')).toEqual([
    'docs/Ours.md',
    'docs/Theirs.md',
    'main.c',
  ]);
  expect(git(bare, ['rev-parse', 'main:docs'])).toBe(
    git(world.repository('folder'), ['rev-parse', `${commit}^{tree}`]),
  );
  expect(git(bare, ['rev-list', '--count', 'main'])).toBe('4');
  for (const side of [bare, world.repository('folder')]) git(side, ['fsck', '--strict', '--no-dangling']);
});

test('a token that the remote does not take is a state in words, which end with a better one', async () => {
  const secret = world.secretOf('locked');
  await world.add('locked', { token_from: `secret:${secret}` });
  await world.run('write_page', 'locked', { path: 'Home', content: 'Home.\n' });
  await world.round();
  const missing = await world.report('locked');
  expect(missing).toMatchObject({ state: 'unauthorized' });
  expect(missing?.words).toContain('the secret with its token is missing or empty');

  await world.makeSecret(secret, 'wrong-token');
  await world.makeDue('locked');
  await world.round();
  const wrong = await world.report('locked');
  expect(wrong).toMatchObject({ state: 'unauthorized', failures: 2 });
  expect(wrong?.words).toContain('it does not take the login');
  expect((await world.run('wiki_status', 'locked', {})).problems).toContainEqual(
    expect.stringContaining('it does not take the login'),
  );

  await world.changeSecret(secret, TOKEN);
  await world.makeDue('locked');
  await world.round();
  expect(await world.report('locked')).toMatchObject({ state: 'in_step', failures: 0 });
});

test('the secret of another wiki is sent to nobody', async () => {
  await world.add('stranger', { token_from: `secret:${world.secretOf('main')}` });
  await world.round();
  const report = await world.report('stranger');
  expect(report).toMatchObject({ state: 'unauthorized' });
  expect(report?.words).toContain('the secret is for another wiki or another server');
  expect(world.requests.filter(({ url }) => url.startsWith('/stranger.git'))).toEqual([]);
});

test('a remote that does not answer holds up no other wiki, and one that leads into AWS is not followed', async () => {
  for (const name of ['hanging', 'redirected'] as const) await world.add(name);
  const { commit } = await world.run('write_page', 'main', { path: 'News', content: 'News.\n' });
  let isOver = false;
  const round = world.round().then(() => {
    isOver = true;
  });
  await Promise.race([expect.poll(remoteHead).toBe(commit), round]);
  expect(isOver).toBe(false);
  await round;
  expect(await world.report('hanging')).toMatchObject({ state: 'timeout' });
  expect(await world.report('redirected')).toMatchObject({
    state: 'unsupported',
    words: expect.stringContaining('not one of the public Internet'),
  });
});

test('no token is in a log', () => {
  const login = Buffer.from(`x-access-token:${TOKEN}`).toString('base64');
  expect(world.logged.some((line) => line.includes('sync of main: In step'))).toBe(true);
  for (const secret of [TOKEN, login, 'wrong-token'])
    expect(world.logged.filter((line) => line.includes(secret))).toEqual([]);
});

const LINES = Array.from({ length: 9 }, (_, at) => `Line ${at} of the page.\n`).join('');

/** A person commits there by native git. */
function commitThere(page: string, text: string): string {
  const clone = localRepository(world.bare('main'));
  const commit = clone.commit(page, text);
  git(clone.directory, ['push', '--quiet', 'origin', 'HEAD:main']);
  return commit;
}

function remoteHead(): string {
  return git(world.bare('main'), ['rev-parse', 'refs/heads/main']);
}

function requireSound(): void {
  for (const side of [world.bare('main'), world.repository('main')])
    git(side, ['fsck', '--strict', '--no-dangling']);
}
