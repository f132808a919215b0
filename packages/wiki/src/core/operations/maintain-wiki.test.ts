import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestIndexes } from '../../../test/index/test-indexes.ts';
import { bareRepository, temporaryDirectory } from '../../../test/native-git.ts';
import { changeOf, openTestRepository, text } from '../../../test/test-repository.ts';
import type { DirectorySession } from '../session.ts';
import { maintainWiki } from './maintain-wiki.ts';

test('a wiki whose time ends while its index is saved is told as unfinished', async () => {
  const time = new AbortController();
  const session = await sessionOf({ signal: time.signal, beforeSaving: () => time.abort() });
  const report = await maintainWiki(session, { mode: 'tidy', all: false });
  expect(report).toMatchObject({ index_saved: false, unfinished: ['main'] });
});

test('a wiki whose index was saved just as its time ended is not told as unfinished', async () => {
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

test('an index that cannot be saved is told as such, and what to do', async () => {
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
  const none = () => Promise.reject(new Error('Nobody asks for it.'));
  return {
    directory: {
      names: async () => ['main'],
      open: async () => ({ repository, index: { ...index, save } }),
      create: none,
      importBundle: none,
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
