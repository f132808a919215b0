import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { noise } from '../../../labs/noise.ts';
import { git, temporaryDirectory } from '../test/native-git.ts';
import { commitFiles } from '../test/operations/local-backends.ts';
import { withShortLists } from '../test/operations/short-lists.ts';
import type { Wiki } from './contract/wiki.ts';
import { downloadBundle } from './download-bundle.ts';
import { openWiki } from './open-wiki.ts';

const call = { caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: null } };
const FILES = 120;
const MOST = 50_000;

/** Two wikis, one without a commit and one that needs several calls, whose lists have 50 files. */
async function openTwo() {
  const directory = temporaryDirectory();
  for (const name of ['empty', 'full']) {
    git(directory, ['init', '--quiet', '--bare', '--initial-branch=main', `${name}.git`]);
  }
  const repository = join(directory, 'full.git');
  const files = Array.from({ length: FILES }, (_, at) => [`${at}.md`, noise(1_000).toString('base64')]);
  commitFiles(repository, Object.fromEntries(files));
  const host = { backend: 'test', versions: {}, problems: [], attachmentBytes: MOST };
  const opened = await openWiki({ directory, wiki: 'empty', placement: 'local', host });
  onTestFinished(() => opened.close());
  const asked: unknown[] = [];
  const wiki: Wiki = {
    ...withShortLists(opened.wiki, 50),
    send_objects: (input, around) => {
      asked.push([input.wiki, input.wants, input.cursor, around.progress]);
      return opened.wiki.send_objects(input, around);
    },
  };
  return { wiki, repository, asked };
}

test('a bundle comes in several calls, and is what git takes', async () => {
  const { wiki, repository, asked } = await openTwo();
  const reported: unknown[][] = [];
  const progress = (...step: unknown[]) => reported.push(step);
  const { commit, files, parts } = await downloadBundle(wiki, { wiki: 'full' }, { ...call, progress });
  expect([commit, files]).toEqual([git(repository, ['rev-parse', 'main']), FILES]);
  const chunks = await Array.fromAsync(parts);
  const place = join(temporaryDirectory(), 'full.bundle');
  writeFileSync(place, Buffer.concat(chunks));
  expect(git(repository, ['bundle', 'verify', '--quiet', place])).toBe('');
  expect(git(repository, ['bundle', 'list-heads', place])).toBe(`${commit} refs/heads/main\n${commit} HEAD`);
  const clone = join(temporaryDirectory(), 'clone');
  git(repository, ['clone', '--quiet', place, clone]);
  expect(git(clone, ['rev-parse', 'HEAD'])).toBe(commit);
  expect(git(clone, ['ls-files']).split('\n')).toHaveLength(FILES);

  expect(asked.length).toBeGreaterThan(2);
  expect(new Set(asked.map((each) => JSON.stringify(each))).size).toBe(asked.length);
  expect(asked[0]).toEqual(['full', [commit], undefined, undefined]);
  // The headers and the checksum are not counted.
  const counted = chunks
    .slice(2, -1)
    .map((_, at) => chunks.slice(2, at + 3).reduce((sum, { length }) => sum + length, 0));
  expect(reported).toEqual(counted.map((bytes) => [bytes, 0, 'bytes are here']));
});

test('nobody needs to hear of the progress', async () => {
  const { wiki } = await openTwo();
  const { parts } = await downloadBundle(wiki, { wiki: 'full' }, call);
  expect((await Array.fromAsync(parts)).length).toBeGreaterThan(3);
});

test('of a wiki without a commit there is no bundle', async () => {
  const { wiki, asked } = await openTwo();
  await expect(downloadBundle(wiki, {}, call)).rejects.toMatchObject({
    code: 'not_found',
    text: { happened: 'The wiki has no commit.', now: 'Nothing was exported.', next: 'Write a page first.' },
  });
  expect(asked).toEqual([]);
});
