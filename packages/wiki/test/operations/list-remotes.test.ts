import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openWiki } from '@pagetree/wiki';
import { type Call, callOperation, type OperationName, type Output } from '@pagetree/wiki/contract';
import { expect, onTestFinished, test } from 'vitest';
import { git, temporaryDirectory } from '../native-git.ts';

const CALL: Call = { caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: null } };
const REMOTE = { url: 'https://example.org/x.git', mode: 'two-way', branch: null, every_ms: 60_000 } as const;

/** Wikis in a directory, and processes that open it. */
async function openPlace(...names: string[]) {
  const directory = temporaryDirectory();
  for (const name of names)
    git(directory, ['init', '--quiet', '--bare', '--initial-branch=main', join(directory, `${name}.git`)]);
  const open = async (placement: 'local' | 'shared' = 'shared') => {
    const host = { backend: 'lambda', versions: {}, problems: [] };
    const { wiki, close } = await openWiki({ directory, wiki: null, placement, host });
    onTestFinished(() => close());
    return async <Name extends OperationName>(name: Name, input: object): Promise<Output<Name>> =>
      (await callOperation(wiki, name, input, CALL)) as Output<Name>;
  };
  return { directory, open };
}

type Run = Awaited<ReturnType<Awaited<ReturnType<typeof openPlace>>['open']>>;

async function addRemote(run: Run, wiki: string, more: object = {}): Promise<string> {
  const { commit } = await run('write_page', { wiki, path: 'Home', content: `In ${wiki}.\n` });
  await run('set_remote', { wiki, remote: { ...REMOTE, token_from: null } });
  const report = {
    ...{ state: 'in_step', words: 'In step.', at: 1, in_step_at: 1, next_at: 2, failures: 0 },
    ...{ branch: 'refs/heads/main', tip: commit },
    ...more,
  };
  await run('report_sync', { wiki, url: REMOTE.url, report });
  return commit ?? '';
}

test.for(['local', 'shared'] as const)(
  'lists the wikis with a remote, and says which of them have commits since the last sync (%s)',
  async (placement) => {
    const { open } = await openPlace('a', 'b', 'c', 'new');
    const run = await open(placement);
    const tip = await addRemote(run, 'a');
    await addRemote(run, 'c');
    await run('set_remote', { wiki: 'new', remote: { ...REMOTE, token_from: null } });
    const other = await open(placement);
    const listed = async () =>
      (await other('list_remotes', {})).remotes.map(({ wiki, has_news, report }) => [
        wiki,
        has_news,
        report?.tip,
      ]);
    const before = await listed();
    expect(before).toEqual([
      ['a', false, tip],
      ['c', false, expect.any(String)],
      ['new', true, undefined],
    ]);
    await run('write_page', { wiki: 'a', path: 'News', content: 'x\n' });
    expect((await listed())[0]).toEqual(['a', true, tip]);
  },
);

test('opens no wiki: its small files are enough', async () => {
  const { directory, open } = await openPlace('a');
  const tip = await addRemote(await open(), 'a');
  copySmallFiles(directory, 'a', 'b');
  const run = await open();
  expect((await run('list_remotes', {})).remotes).toMatchObject([
    { wiki: 'a', has_news: false, problem: null },
    { wiki: 'b', has_news: false, report: { tip }, problem: null },
  ]);
  await expect(run('read_page', { wiki: 'b', path: 'Home' })).rejects.toThrow();
});

test('a remote that cannot be read is named with its problem, and hides no other', async () => {
  const { directory, open } = await openPlace('a', 'b');
  const run = await open();
  for (const name of ['a', 'b']) await addRemote(run, name);
  writeFileSync(join(directory, 'a.git', 'pagetree', 'remote'), '{"url":');
  expect((await run('list_remotes', {})).remotes).toMatchObject([
    { wiki: 'a', remote: null, problem: expect.stringContaining('The settings of the remote are damaged.') },
    { wiki: 'b', remote: { url: REMOTE.url }, problem: null },
  ]);
});

test('hundreds of long reports come in parts that each fit an answer, and each once', async () => {
  const { directory, open } = await openPlace('w000');
  const run = await open();
  const words = 'ä'.repeat(4_000);
  await addRemote(run, 'w000', { words });
  const names = Array.from({ length: 300 }, (_, at) => `w${String(at).padStart(3, '0')}`);
  for (const name of names.slice(1)) copySmallFiles(directory, 'w000', name);
  const found: string[] = [];
  let parts = 0;
  let cursor: string | null = null;
  do {
    const part: Output<'list_remotes'> = await run('list_remotes', cursor === null ? {} : { cursor });
    expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThan(5_000_000);
    found.push(...part.remotes.map(({ wiki }) => wiki));
    cursor = part.next_cursor;
    parts += 1;
  } while (cursor !== null);
  expect(found).toEqual(names);
  expect(parts).toBeGreaterThan(1);
});

/** A wiki without its objects, which nothing can open. */
function copySmallFiles(directory: string, from: string, to: string): void {
  mkdirSync(join(directory, `${to}.git`, 'pagetree'), { recursive: true });
  for (const name of ['HEAD', 'config', 'pagetree/remote', 'pagetree/remote-report'])
    cpSync(join(directory, `${from}.git`, name), join(directory, `${to}.git`, name));
}
