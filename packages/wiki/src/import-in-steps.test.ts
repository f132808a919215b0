import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bareRepository, git, temporaryDirectory } from '../test/native-git.ts';
import { withShortLists } from '../test/operations/short-lists.ts';
import { WikiError } from './contract/errors.ts';
import type { Call, Wiki } from './contract/wiki.ts';
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
  const bring = (
    path: string,
    wiki: Wiki = opened.wiki,
    name: string | null = 'imported',
    more: Partial<Call> = {},
  ) =>
    importInSteps({
      ...{ wiki, call: { ...call, ...more }, path, files: new AllowedFiles(null), bounds: BOUNDS },
      input: { wiki: name ?? undefined },
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

test('an import reports how many commits of the branch are in the wiki, and no step reports its own progress', async () => {
  const { directory } = longHistory();
  const { wiki, bring } = await openEmpty();
  const reported: unknown[][] = [];
  const ofSteps: unknown[] = [];
  const recording: Wiki = {
    ...wiki,
    import_wiki: (input, around) => {
      ofSteps.push(around.progress);
      return wiki.import_wiki(input, around);
    },
    receive_push: (input, around) => {
      ofSteps.push(around.progress);
      return wiki.receive_push(input, around);
    },
  };
  await bring(directory, recording, 'imported', { progress: (...step) => reported.push(step) });
  const commits = Number(git(directory, ['rev-list', '--first-parent', '--count', 'main']));
  expect(reported.length).toBe(ofSteps.length);
  expect(reported.map(([, total, what]) => [total, what])).toEqual(
    reported.map(() => [commits, 'commits are in the wiki']),
  );
  const done = reported.map(([at]) => Number(at));
  expect(done).toEqual([...new Set(done)].toSorted((a, b) => a - b));
  expect(done.at(-1)).toBe(commits);
  expect(new Set(ofSteps)).toEqual(new Set([undefined]));
});

test('files of each kind are counted, on however many lists they stand', async () => {
  const directory = bareRepository();
  const paths = Array.from({ length: 290 }, (_, at) => `${at}.${at < 260 ? 'md' : 'png'}`);
  const files = paths.map((path) => `M 100644 inline ${path}\ndata 1\na\n`);
  git(
    directory,
    ['fast-import', '--quiet'],
    `commit refs/heads/main\ncommitter A <a@b> 1 +0000\ndata 1\nm\n${files.join('')}`,
  );
  const { wiki, bring } = await openEmpty();
  expect(await bring(directory, withShortLists(wiki, 100))).toMatchObject({
    ...{ pages: 260, attachments: 30, changes: 290, ignored: [], ignored_total: 0 },
  });
});

test('without a name the history comes into the wiki that is the default', async () => {
  const { directory, head } = longHistory();
  const { wiki, bring } = await openEmpty();
  await bring(directory);
  const other: Wiki = {
    ...wiki,
    list_wikis: async (input, around) => ({ ...(await wiki.list_wikis(input, around)), default: 'imported' }),
  };
  expect(await bring(directory, other, null)).toMatchObject({
    wiki: 'imported',
    commit: head,
    changed: false,
  });
});

test.each([
  ['too_large', 'Import less.', 'In a terminal, import less.'],
  [
    'backend_unavailable',
    'Import the same repository again: it goes on from there.',
    'Run the same command again: it goes on from there.',
  ],
] as const)('what fails later as %s says what is there and what to do', async (code, next, atTerminal) => {
  const { directory } = longHistory();
  const { wiki, bring } = await openEmpty();
  const text = {
    happened: 'No.',
    now: 'Nothing.',
    next: 'Import less.',
    atTerminal: 'In a terminal, import less.',
  };
  const cause = new Error('cause');
  const failing: Wiki = {
    ...wiki,
    receive_push: () => Promise.reject(new WikiError(code, text, { at: 1 }, { cause })),
  };
  const failure: unknown = await bring(directory, failing).catch((error: unknown) => error);
  const now = expect.stringMatching(/^The history up to commit [0-9a-f]{40} is in the wiki\.$/);
  expect(failure).toMatchObject({
    code,
    text: { happened: 'No.', now, next, atTerminal },
    data: { at: 1 },
    cause,
  });
});

test('what fails at first is reported as it is, and an import that its caller ends brings no more', async () => {
  const { directory } = longHistory();
  const { wiki, bring } = await openEmpty();
  const failure = new WikiError('busy', { happened: 'No.', now: 'Nothing.', next: 'Wait.' });
  const failing: Wiki = { ...wiki, import_wiki: () => Promise.reject(failure) };
  await expect(bring(directory, failing)).rejects.toBe(failure);
  const stop = new AbortController();
  const ended = bring(directory, undefined, 'imported', {
    signal: stop.signal,
    progress: () => stop.abort(),
  });
  await expect(ended).rejects.toMatchObject({ code: 'busy' });
  const { refs } = await wiki.list_refs({ wiki: 'imported' }, call);
  expect(refs[0]?.oid).not.toBe(git(directory, ['rev-parse', 'main']));
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
