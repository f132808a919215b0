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

test('with time enough the index is saved and nothing is left', async () => {
  const { signal } = new AbortController();
  const session = await sessionOf({ signal, beforeSaving: () => undefined });
  const report = await maintainWiki(session, { mode: 'tidy', all: false });
  expect(report).toMatchObject({ index_saved: true, unfinished: [] });
});

async function sessionOf(options: { signal: AbortSignal; beforeSaving(): void }): Promise<DirectorySession> {
  const repository = await openTestRepository(bareRepository());
  await repository.write(changeOf([text('Home.md', 'Welcome.\n')]));
  const snapshotDirectory = join(temporaryDirectory(), 'snapshots');
  const index = (await openTestIndexes()).open({ repository, snapshotDirectory, readOnly: false });
  const save: typeof index.save = (commit, signal) => {
    options.beforeSaving();
    return index.save(commit, signal);
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
    now: Date.now,
    host: { backend: 'test', versions: {}, wikis: async () => ['main'], problems: [] },
  };
}
