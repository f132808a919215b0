import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bareRepository, temporaryDirectory } from '../../../../test/native-git.ts';
import { openTestIndexes } from '../../../../test/search/test-indexes.ts';
import { changeOf, openTestRepository, text } from '../../../../test/test-repository.ts';
import { keptUploads } from '../../../git/wikis/kept-uploads.ts';
import { nodeFileSystem } from '../../../storage/files/node-file-system.ts';
import { nodeHost } from '../../../storage/files/node-host.ts';
import type { DirectorySession } from '../../session.ts';
import { maintainWiki } from './maintain-wiki.ts';

test('a wiki is reported as unfinished if its time ends while its index is saved', async () => {
  const time = new AbortController();
  const session = await sessionOf({ signal: time.signal, beforeSaving: () => time.abort() });
  const report = await maintainWiki(session, { mode: 'tidy', all: false });
  expect(report).toMatchObject({ index_saved: false, unfinished: ['main'] });
});

test('a wiki is not reported as unfinished if its index was saved just as its time ended', async () => {
  const time = new AbortController();
  const session = await sessionOf({ signal: time.signal, afterSaving: () => time.abort() });
  const report = await maintainWiki(session, { mode: 'tidy', all: false });
  expect(report).toMatchObject({ index_saved: true, unfinished: [] });
});

test('with time enough the index is saved and nothing is left', async () => {
  const { signal } = new AbortController();
  const session = await sessionOf({ signal });
  const report = await maintainWiki(session, { mode: 'tidy', all: false });
  expect(report).toMatchObject({ index_saved: true, unfinished: [] });
});

test('an index that cannot be saved is reported, with what to do', async () => {
  const snapshotDirectory = join(temporaryDirectory(), 'snapshots');
  writeFileSync(snapshotDirectory, 'a file where the folder should be');
  const session = await sessionOf({ signal: new AbortController().signal, snapshotDirectory });
  await expect(maintainWiki(session, { mode: 'tidy', all: false })).rejects.toMatchObject({
    code: 'backend_unavailable',
    text: {
      happened: 'The search index could not be saved beside the wiki: ENOTDIR.',
      now: expect.stringContaining('Nothing is lost'),
    },
  });
});

test.each(['check', 'repair'] as const)(
  'a %s whose time ends says how far it is and how to go on, and the next call ends it',
  async (mode) => {
    const time = new AbortController();
    const session = await sessionOf({ signal: time.signal });
    time.abort();
    const first = await maintainWiki(session, { mode, all: false });
    expect(first).toMatchObject({ mode, finished: false, unfinished: ['test'], problems: [], lost: [] });
    expect(first.to_go_on).toMatch(
      new RegExp(`^Not finished: \\d+ objects are read\\. This ${mode} began on \\S+Z\\. Call again with`),
    );
    const later = { ...session, call: { ...session.call, signal: undefined } };
    const second = await maintainWiki(later, { mode, all: false });
    expect(second).toMatchObject({ mode, finished: true, to_go_on: null, unfinished: [] });
  },
);

test('a check answers after 45 seconds at most, as clients wait for a minute', async () => {
  const session = await sessionOf({ signal: new AbortController().signal });
  let seconds = 0;
  const now = () => {
    seconds += 1;
    return seconds * 1_000;
  };
  for (let at = 0; at < 20; at += 1) {
    const { repository } = await session.directory.open('main');
    await repository.write(changeOf([text(`Page ${at}.md`, `Page ${at}.\n`)]));
  }
  expect(await maintainWiki({ ...session, now }, { mode: 'check', all: false })).toMatchObject({
    finished: false,
  });
  expect(seconds).toBeLessThan(50);
});

interface Moments {
  snapshotDirectory?: string;
  signal: AbortSignal;
  beforeSaving?(): void;
  afterSaving?(): void;
}

async function sessionOf(options: Moments): Promise<DirectorySession> {
  const repository = await openTestRepository(bareRepository());
  await repository.write(changeOf([text('Home.md', 'Welcome.\n')]));
  const { snapshotDirectory = join(temporaryDirectory(), 'snapshots') } = options;
  const index = (await openTestIndexes()).open({ repository, snapshotDirectory, readOnly: false });
  const save: typeof index.save = async (commit, signal) => {
    options.beforeSaving?.();
    const isSaved = await index.save(commit, signal);
    options.afterSaving?.();
    return isSaved;
  };
  const wiki = { repository, index: { ...index, save } };
  const none = () => Promise.reject(new Error('Nobody asks for it.'));
  return {
    directory: {
      names: async () => ['main'],
      open: async () => wiki,
      unopened: () => {
        throw new Error('Nobody asks.');
      },
      visit: (_, act) => act(wiki),
      create: none,
      requireDefault: none,
      importBundle: none,
      readRound: none,
      keepRound: none,
      ...keptUploads({
        fs: nodeFileSystem,
        host: nodeHost(),
        directory: temporaryDirectory(),
        readOnly: false,
      }),
    },
    defaultWiki: 'main',
    call: {
      caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: null },
      signal: options.signal,
    },
    newRequestId: () => 'request',
    committed: () => undefined,
    now: Date.now,
    host: { backend: 'test', versions: {}, wikis: async () => ['main'], problems: [] },
  };
}
