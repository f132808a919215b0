import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { openWiki } from '@pagetree/wiki';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { builtServer, temporaryDirectory } from '../built-server.ts';
import { git } from '../git.ts';
import { SdkClient } from '../sdk-client.ts';

let bundle: string;

beforeAll(async () => {
  bundle = await builtServer();
});

/** A wiki, a folder that git serves as its remote, and servers and commands of the wiki. */
async function openPlace() {
  const [directory, other] = await Promise.all([temporaryDirectory(), temporaryDirectory()]);
  const remote = join(other, 'notes.git');
  await git(other, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
  const command = (...args: string[]) =>
    execFileSync(process.execPath, [bundle, ...args, '--dir', directory], { encoding: 'utf8' });
  const connect = async () => {
    const client = await new SdkClient(process.execPath, [bundle, '--dir', directory]).connect();
    onTestFinished(() => client.close());
    return client;
  };
  /** A person pushes a page there. */
  const push = async (page: string) => {
    const clone = join(await temporaryDirectory(), 'clone');
    await git(other, 'clone', '--quiet', remote, clone);
    execFileSync('sh', ['-c', `echo '# ${page}' > '${page}.md'`], { cwd: clone });
    await git(clone, 'add', '.');
    await git(clone, '-c', 'user.name=Ada', '-c', 'user.email=a@example.org', 'commit', '-qm', page);
    await git(clone, 'push', '--quiet', 'origin', 'HEAD:main');
  };
  return { directory, remote, command, connect, push };
}

test('an agent asks for a sync, and the answer has its outcome', async () => {
  const { directory, remote, command, connect, push } = await openPlace();
  const client = await connect();
  expect(command('remote', 'add', remote, '--every', '1h', '--let-agents-sync')).toContain('In step');
  expect(command('remote', 'status')).toContain('Agents may ask for a sync.');
  await push('Theirs');

  const done = await client.ok('sync_wiki');
  expect(done).toMatchObject({ progress: 'done', sync: { remote, state: 'in_step', agents_may_sync: true } });
  expect(await client.ok('read_page', { path: 'Theirs' })).toMatchObject({ path: 'Theirs' });
  expect(await client.ok('wiki_status')).toMatchObject({ sync: done.sync, problems: [] });

  // The mark of a process that syncs nothing itself.
  await push('More');
  const host = { backend: 'local', versions: {}, problems: [] };
  const { wiki, close } = await openWiki({ directory, wiki: null, placement: 'local', host });
  onTestFinished(() => close());
  const call = { caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: 'test' } };
  expect(await wiki.sync_wiki({}, call)).toEqual({ progress: 'under_way', sync: done.sync });
  await expect.poll(() => client.call('read_page', { path: 'More' }), RARELY).not.toHaveProperty('isError');
  expect(await client.ok('wiki_status')).toMatchObject({ sync: { state: 'in_step' }, problems: [] });
});

test('without leave of the owner an agent cannot ask, and learns who can give it', async () => {
  const { remote, command, connect } = await openPlace();
  const client = await connect();
  expect(await client.error('sync_wiki')).toMatch(/^not_found: .*remote add URL --let-agents-sync/s);
  command('remote', 'add', remote, '--every', '1h');
  expect(await client.error('sync_wiki')).toMatch(/^forbidden: .*--let-agents-sync/s);
  expect(await client.ok('wiki_status')).toMatchObject({ sync: { remote, agents_may_sync: false } });
});

const RARELY = { interval: 100 };
