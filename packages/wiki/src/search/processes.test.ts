import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { sampled } from '../../../../labs/sample.ts';
import { bareRepository, git, temporaryDirectory } from '../../test/native-git.ts';
import { expectSameAnswers } from '../../test/search/same-answers.ts';
import { openTestIndexes } from '../../test/search/test-indexes.ts';
import { changeOf, openTestRepository, text } from '../../test/test-repository.ts';
import { scanIndex } from './scan-index.ts';

const program = fileURLToPath(new URL('../../test/search/asking-process.ts', import.meta.url));

/** A directory with the wiki `main` of 220 pages. */
async function makeWiki(): Promise<string> {
  const directory = temporaryDirectory();
  const repository = join(directory, 'main.git');
  await rename(bareRepository(), repository);
  const files = Array.from({ length: 220 }, (_, at) =>
    text(`Page ${at}.md`, `# Template ${at}\n\nSee [[Page ${at + 1}]] and the index.\n`),
  );
  await (await openTestRepository(repository)).write(changeOf(files));
  return directory;
}

function ask(directory: string, name: string, task: 'write' | 'build', rounds: number): ChildProcess {
  const work = temporaryDirectory();
  const child = spawn(process.execPath, [program, directory, work, name, task, String(rounds)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}

async function exitStatus(child: ChildProcess): Promise<number | null> {
  child.stdout?.resume();
  const [status] = await once(child, 'exit');
  return status as number | null;
}

/** Asks a new process's index about everything. */
async function expectRight(directory: string): Promise<void> {
  const gitDirectory = join(directory, 'main.git');
  const repository = await openTestRepository(gitDirectory);
  const head = (await repository.head()).commit ?? '';
  const indexes = await openTestIndexes();
  const snapshotDirectory = join(gitDirectory, 'pagetree', 'index');
  const index = indexes.open({ repository, snapshotDirectory, readOnly: false });
  await expectSameAnswers(index, scanIndex(repository), head, ['Page 1', 'one 3', 'Never']);
  await indexes.close();
}

test('two processes that write and search at once each find what they wrote', async () => {
  const directory = await makeWiki();
  const children = ['one', 'two'].map((name) => ask(directory, name, 'write', 12));
  expect(await Promise.all(children.map(exitStatus))).toEqual([0, 0]);
  expect(git(join(directory, 'main.git'), ['rev-list', '--count', 'main'])).toBe('25');
  await expectRight(directory);
});

test('a frozen process delays no other process', async () => {
  const directory = await makeWiki();
  const frozen = ask(directory, 'frozen', 'build', 1_000);
  await once(frozen.stdout as NonNullable<typeof frozen.stdout>, 'data');
  frozen.kill('SIGSTOP');
  expect(await exitStatus(ask(directory, 'one', 'write', 4))).toBe(0);
  await expectRight(directory);
});

test('the next answer is right after a process is killed during a build or a snapshot', async () => {
  const directory = await makeWiki();
  for (let round = 0; round < sampled(5, 2); round++) {
    const child = ask(directory, 'killed', 'build', 1_000);
    await once(child.stdout as NonNullable<typeof child.stdout>, 'data');
    await setTimeout(round * sampled(59, 170));
    child.kill('SIGKILL');
    await once(child, 'exit');
    await expectRight(directory);
  }
  const names = await readdir(join(directory, 'main.git', 'pagetree', 'index'));
  expect(names.filter((name) => !name.startsWith('new-')).length).toBeLessThanOrEqual(2);
});
