import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bareRepository, git, temporaryDirectory } from '../test/native-git.ts';
import { WikiError } from './contract/errors.ts';
import type { Wiki } from './contract/wiki.ts';
import { importInSteps } from './import-in-steps.ts';
import { AllowedFiles } from './local-files/allowed-files.ts';
import { openWiki } from './open-wiki.ts';

const call = { caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: null } };
const BOUNDS = { objects: 40, inflatedBytes: 20_000 };

/** A history of 41 commits, one of which merges a side of five. */
function longHistory() {
  const directory = bareRepository();
  const text = (at: number) => `Line ${at} of a page.\n`.repeat(30);
  const commits: string[] = [];
  /** The mark of a new commit. */
  const commit = (files: Record<string, string>, from: number | null, merged?: number) => {
    const mark = commits.length + 1;
    const lines = [
      'commit refs/heads/main',
      `mark :${mark}`,
      `committer A. Writer <writer@example.org> ${1_700_000_000 + mark} +0000`,
      'data 2\nm\n',
      ...(from === null ? [] : [`from :${from}`]),
      ...(merged === undefined ? [] : [`merge :${merged}`]),
      ...Object.entries(files).map(([path, file]) => `M 100644 inline ${path}\ndata ${file.length}\n${file}`),
    ];
    commits.push(`${lines.join('\n')}\n`);
    return mark;
  };
  let tip: number | null = null;
  for (let at = 0; at < 15; at += 1) tip = commit({ 'Log.md': text(at), [`p/${at}.md`]: text(at) }, tip);
  let side = tip;
  for (let at = 0; at < 5; at += 1) side = commit({ [`side/${at}.md`]: text(at) }, side);
  tip = commit({ 'Main.md': 'main' }, tip);
  tip = commit({ 'side/0.md': text(0) }, tip, side ?? 0);
  for (let at = 0; at < 19; at += 1) tip = commit({ 'Log.md': text(100 + at), 'image.png': text(at) }, tip);
  git(directory, ['fast-import', '--quiet', '--force'], commits.join(''));
  return { directory, head: git(directory, ['rev-parse', 'main']) };
}

async function openEmpty() {
  const directory = temporaryDirectory();
  const host = { backend: 'local', versions: {}, problems: [] };
  const opened = await openWiki({ directory, wiki: 'main', placement: 'local', host });
  onTestFinished(() => opened.close());
  const judge = async (name: string) => {
    await opened.settle();
    const repository = join(directory, `${name}.git`);
    expect(git(repository, ['fsck', '--strict', '--no-dangling'])).toBe('');
    return git(repository, ['rev-list', 'main']);
  };
  const bring = (path: string, wiki: Wiki = opened.wiki, name = 'imported') =>
    importInSteps({
      ...{ wiki, call, path, files: new AllowedFiles(null), bounds: BOUNDS },
      input: { wiki: name },
    });
  return { wiki: opened.wiki, bring, judge };
}

/** The same wiki, whose pushes fail after the first ones, and a record of all. */
function failing(wiki: Wiki, after: number) {
  const pushes: string[] = [];
  const receive_push: Wiki['receive_push'] = async (input, around) => {
    if (pushes.length === after) {
      throw new WikiError('busy', { happened: 'No.', now: 'Nothing was changed.', next: 'Wait.' });
    }
    pushes.push(input.to);
    return wiki.receive_push(input, around);
  };
  return { wiki: { ...wiki, receive_push }, pushes };
}

test('a history comes in several steps and is the same as it was, merges included', async () => {
  const { directory, head } = longHistory();
  const { wiki, bring, judge } = await openEmpty();
  const { wiki: counting, pushes } = failing(wiki, Number.POSITIVE_INFINITY);
  expect(await bring(directory, counting)).toMatchObject({
    wiki: 'imported',
    kind: 'history',
    commit: head,
    changed: true,
    commits: 41,
    pages: 18,
    attachments: 1,
  });
  expect(pushes.length).toBeGreaterThan(3);
  expect(await judge('imported')).toBe(git(directory, ['rev-list', 'main']));
  expect(await bring(directory)).toMatchObject({ commit: head, changed: false, commits: 0 });
});

test('an import that was interrupted goes on where it ended', async () => {
  const { directory, head } = longHistory();
  const { wiki, bring, judge } = await openEmpty();
  const first = failing(wiki, 2);
  const landed = () => first.pushes.at(-1) ?? '';
  const failure = await bring(directory, first.wiki).catch((error: WikiError) => error);
  expect(failure).toMatchObject({
    code: 'busy',
    text: { now: `The history up to commit ${landed()} is in the wiki.` },
  });
  expect((await judge('imported')).split('\n')[0]).toBe(landed());
  expect(await bring(directory)).toMatchObject({ commit: head, changed: true });
  expect(await judge('imported')).toBe(git(directory, ['rev-list', 'main']));
});

test('a wiki with another history is left as it is', async () => {
  const { directory } = longHistory();
  const { bring, judge } = await openEmpty();
  const before = await judge('main');
  await expect(bring(directory, undefined, 'main')).rejects.toMatchObject({ code: 'already_exists' });
  expect(await judge('main')).toBe(before);
});

test('a folder without a repository is none of its concern, and one without a commit is reported', async () => {
  const { bring } = await openEmpty();
  expect(await bring(temporaryDirectory())).toBeNull();
  const { directory } = longHistory();
  const copy = join(temporaryDirectory(), 'copy.git');
  cpSync(directory, copy, { recursive: true });
  git(copy, ['symbolic-ref', 'HEAD', 'refs/heads/missing']);
  await expect(bring(copy)).rejects.toMatchObject({ code: 'invalid_input' });
});
