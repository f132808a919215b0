import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { builtServer, temporaryDirectory } from '../built-server.ts';
import { git, gitFsck } from '../git.ts';
import { RawServer } from '../raw-server.ts';

let bundle: string;

beforeAll(async () => {
  bundle = await builtServer();
});

test('a server keeps its wiki in sync in the background, and says nothing of it on standard output', async () => {
  const directory = join(await temporaryDirectory(), 'wikis');
  const bare = join(await temporaryDirectory(), 'remote.git');
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', bare]);
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [bundle, 'remote', ...args, '--dir', directory], { encoding: 'utf8' });
  expect(run('add', bare)).toMatch(/^In step with main\. Pushed what it lacked/);
  // A person commits there meanwhile.
  const clone = join(await temporaryDirectory(), 'clone');
  execFileSync('git', ['clone', '--quiet', bare, clone]);
  await writeFile(join(clone, 'Theirs.md'), 'By a person.\n');
  const author = ['-c', 'user.name=Grace', '-c', 'user.email=grace@example.org'];
  execFileSync('git', ['-C', clone, 'add', '.']);
  execFileSync('git', ['-C', clone, ...author, 'commit', '--quiet', '--message', 'Add a page']);
  execFileSync('git', ['-C', clone, 'push', '--quiet']);

  const server = new RawServer(process.execPath, [bundle, '--dir', directory]);
  await server.initialize();
  server.callTool(1, 'write_page', { path: 'Ours', content: 'By an agent.\n' });
  expect((await server.answerTo(1)).result?.isError).toBeUndefined();
  await expect.poll(() => pagesIn(bare)).toEqual(expect.arrayContaining(['Ours.md', 'Theirs.md']));
  server.callTool(2, 'read_page', { path: 'Theirs' });
  expect(JSON.stringify((await server.answerTo(2)).result)).toContain('By a person.');
  // What was pushed is there before the server learns it.
  await expect.poll(() => server.stderr).toContain('sync of main: In step with main');
  server.process.stdin.end();
  expect(await server.ended).toMatchObject({ code: 0 });
  expect(server.rubbish).toEqual([]);

  expect(run('status')).toMatch(/State: in_step/);
  expect(run('remove')).toContain('Both sides keep what they have');
  await gitFsck(bare);
  await gitFsck(join(directory, 'main.git'));
});

async function pagesIn(bare: string): Promise<string[]> {
  return (await git(bare, 'ls-tree', '-r', '--name-only', 'main')).split('\n');
}
