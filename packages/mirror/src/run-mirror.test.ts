import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { openWiki } from '@pagetree/wiki';
import { expect, onTestFinished, test } from 'vitest';
import { git, temporaryDirectory } from '../../wiki/test/native-git.ts';
import { runMirror } from './run-mirror.ts';

const call = { caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: null } };

/** A mirror whose clock goes on only with the test, and whose watches report nothing. */
async function runUntold() {
  const directory = temporaryDirectory();
  const folder = join(directory, 'folder');
  fs.mkdirSync(join(directory, 'wikis'));
  git(directory, ['init', '--quiet', '--bare', '--initial-branch=main', 'wikis/main.git']);
  const host = { backend: 'local', versions: {}, problems: [] };
  const opened = await openWiki({
    ...{ directory: join(directory, 'wikis'), wiki: 'main', placement: 'local', host },
  });
  const end = new AbortController();
  const said: string[] = [];
  let nowMs = Date.now();
  const ended = runMirror({
    ...{ folder, wiki: opened.wiki, name: null, call, signal: end.signal, lookEveryMs: 5, platform: 'linux' },
    ...{ now: () => nowMs, randomBytes, say: (sentence: string) => said.push(sentence) },
    watch: ((path: string) => fs.watch(path, () => {})) as typeof fs.watch,
  });
  onTestFinished(async () => {
    end.abort();
    expect(await ended).toBe(null);
    await opened.close();
  });
  /** Lets the clock go on until the wiki has these files. */
  const has = (paths: readonly string[], stepMs: number) => {
    const look = async () => {
      nowMs += stepMs;
      return (await opened.wiki.list_files({}, call)).files.map(({ path }) => path);
    };
    return expect.poll(look, { interval: 5 }).toEqual(paths);
  };
  await expect.poll(() => said.join(), { interval: 5 }).toContain('In step');
  return { folder, has };
}

test('a save that no watch reports is found', async () => {
  const { folder, has } = await runUntold();
  fs.writeFileSync(join(folder, 'Tea.md'), 'tea\n');
  await has(['Tea.md'], 1_000);
  fs.mkdirSync(join(folder, 'notes'));
  fs.writeFileSync(join(folder, 'notes/Milk.md'), 'milk\n');
  await has(['Tea.md', 'notes/Milk.md'], 1_000);
});

test('a save that no watch reports is found after the clock was put back', async () => {
  const { folder, has } = await runUntold();
  fs.writeFileSync(join(folder, 'Tea.md'), 'tea\n');
  await has([], -86_400_000);
  await has(['Tea.md'], 100);
});
