import { openWiki } from '@pagetree/wiki';
import { type Call, callOperation, type Output } from '@pagetree/wiki/contract';
import { expect, onTestFinished, test } from 'vitest';
import { runRemote } from '../../src/cli/remote.ts';
import type { RemoteAction } from '../../src/cli/remote-line.ts';
import { temporaryDirectory } from '../built-server.ts';

const author = { name: 'Ada Lovelace', email: 'ada@example.org' };
const CALL: Call = { caller: { author, agent: null } };
const SECRET = 'pagetree/Team/main/git.example.org';
const NOW = 1_800_000_000_000;

const add = (more: object = {}): RemoteAction => ({
  ...{ name: 'add', url: 'https://git.example.org/notes.git', mode: 'two-way', branch: null },
  ...{ everyMs: 300_000, tokenFile: null, tokenSecret: SECRET, letAgentsSync: false },
  ...more,
});

/** A wiki of this process stands for one behind a function: the commands know a Wiki alone. */
async function openCommands({ isOnAws = true } = {}) {
  const directory = await temporaryDirectory();
  const host = { backend: 'local', versions: {}, problems: [] };
  const { wiki, close } = await openWiki({
    ...{ directory, wiki: null, placement: 'local', host },
    makes: 'default wiki',
  });
  onTestFinished(() => close());
  return {
    wiki,
    run: (action: RemoteAction, name: string | null = null) =>
      runRemote(action, {
        ...{ wiki, isOnAws, name, author, scope: null, workingDirectory: directory, env: {} },
        ...{ agentName: 'pagetree/1.2.3', signal: new AbortController().signal },
        ...{ now: () => NOW, random: () => 0.5 },
      }),
    stored: async () => (await callOperation(wiki, 'get_remote', {}, CALL)) as Output<'get_remote'>,
  };
}

test('a remote with its token in a secret is left to the sync on AWS, which makes the first attempt', async () => {
  const { run, stored, wiki } = await openCommands();
  const { done, said } = await run(add());
  expect(done).toBe(true);
  expect(said).toContain('The sync on AWS comes to this wiki within a few minutes');
  const { remote, report } = await stored();
  expect(remote).toMatchObject({ token_from: `secret:${SECRET}` });
  expect(report).toMatchObject({ state: 'waiting', next_at: NOW, failures: 0 });
  expect((await run({ name: 'status' })).said).toContain(
    `Token: in the secret ${SECRET} of AWS Secrets Manager\nState: waiting`,
  );

  // A later sync is asked for, and what both sides had stays known.
  const known = { branch: 'refs/heads/main', tip: 'a'.repeat(40), in_step_at: 1 };
  const failed = { state: 'unauthorized', words: 'No.', at: 2, next_at: NOW + 3_600_000, failures: 7 };
  const url = remote?.url ?? '';
  await callOperation(wiki, 'report_sync', { url, report: { ...known, ...failed } }, CALL);
  expect(await run({ name: 'sync' })).toMatchObject({ done: true });
  expect((await stored()).report).toMatchObject({ ...known, state: 'waiting', next_at: NOW, failures: 0 });
});

test('a folder of a remote is kept and shown; with another one the sync begins anew', async () => {
  const { run, stored, wiki } = await openCommands();
  await run(add({ folder: 'docs' }));
  const { remote, report } = await stored();
  expect(remote).toMatchObject({ folder: 'docs' });
  expect((await run({ name: 'status' })).said).toContain(
    'Remote: docs/ of https://git.example.org/notes.git',
  );
  const known = { branch: 'refs/heads/main', tip: 'a'.repeat(40), in_step_at: 1 };
  const pairs = [{ wiki: 'a'.repeat(40), remote: 'b'.repeat(40), in_step: true }];
  const inStep = {
    ...report,
    ...known,
    state: 'in_step',
    projection: { folder: 'docs', pairs, objects: [] },
  };
  await callOperation(wiki, 'report_sync', { url: remote?.url ?? '', report: inStep }, CALL);
  await run(add({ folder: 'docs', everyMs: 60_000 }));
  expect((await stored()).report).toMatchObject({ state: 'waiting', projection: { pairs } });
  const elsewhere = 'https://git.example.org/other.git';
  await run(add({ folder: 'docs', url: elsewhere }));
  expect((await stored()).report).toMatchObject({ tip: null, projection: { pairs: [] } });
  await callOperation(wiki, 'report_sync', { url: elsewhere, report: inStep }, CALL);
  await run(add({ folder: 'guide', url: elsewhere }));
  expect((await stored()).report).toMatchObject({ tip: null, projection: { folder: 'guide', pairs: [] } });
});

test.each([
  ['an ssh address', { url: 'git@git.example.org:notes.git' }, 'https:// alone'],
  ['another server', { url: 'https://evil.example.org/notes.git' }, 'STACK/main/evil.example.org'],
  ['a secret of something else', { tokenSecret: 'prod/database' }, 'pagetree/STACK/main/git.example.org'],
  [
    'the secret of another wiki',
    { tokenSecret: 'pagetree/Team/payroll/git.example.org' },
    'pagetree/STACK/main/git.example.org',
  ],
  ['a name without a stack', { tokenSecret: 'pagetree//main/git.example.org' }, 'pagetree/STACK/main'],
])('%s is refused before anything is changed', async (_, more, sentence) => {
  const { run, stored } = await openCommands();
  const { done, said } = await run(add(more), 'main');
  expect(done).toBe(false);
  expect(said).toContain(sentence);
  expect(said).toContain('Nothing was changed.');
  expect(await stored()).toEqual({ remote: null, report: null });
});

test('a wiki of this machine takes no secret of AWS', async () => {
  const { run, stored } = await openCommands({ isOnAws: false });
  expect(await run(add())).toMatchObject({ done: false, said: expect.stringContaining('--token-file') });
  expect(await stored()).toEqual({ remote: null, report: null });
});
