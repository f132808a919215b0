import { expect, onTestFinished, test } from 'vitest';
import { bareRepository, git, temporaryDirectory } from '../../../test/native-git.ts';
import { openTestIndexes } from '../../../test/search/test-indexes.ts';
import {
  type FileSystemCall,
  fileSystemError,
  observedFileSystem,
} from '../../../test/storage/observed-file-system.ts';
import { isLink } from '../../../test/storage/writers.ts';
import { openTestRepository } from '../../../test/test-repository.ts';
import { parseInput } from '../../contract/parse-input.ts';
import { nodeFileSystem } from '../../storage/files/node-file-system.ts';
import { createWiki } from '../wiki.ts';

const ioError = fileSystemError(5, 'EIO');

test('a committed write whose answer fails is not reported as failed', async () => {
  const { wiki, call, directory, failAfterLinking } = await wikiOnFailingDisk();
  await wiki.append_to_page(append('once'), call);
  failAfterLinking(({ name, path }) => name === 'read' && path.endsWith('.pack'));
  const failure = await wiki.append_to_page(append('twice'), call).catch((error: unknown) => error);
  const commit = git(directory, ['rev-parse', 'main']);
  expect(failure).toMatchObject({
    code: 'internal',
    text: {
      happened: expect.stringContaining(`The change was committed as ${commit}`),
      now: 'The change is in the wiki, once.',
    },
    data: { commit },
  });
  expect(git(directory, ['show', 'main:Log.md'])).toBe('once\ntwice');
});

test('a linked write that may not be durable is always answered as write_state_unknown', async () => {
  const { wiki, call, failAfterLinking } = await wikiOnFailingDisk();
  await wiki.append_to_page(append('once'), call);
  failAfterLinking(({ name, path }) => name === 'sync' && path.endsWith('chain-main'));
  await expect(wiki.append_to_page(append('twice'), call)).rejects.toMatchObject({
    code: 'write_state_unknown',
  });
});

function append(content: string) {
  return parseInput('append_to_page', { path: 'Log', content, create: true });
}

/** A wiki that keeps no objects in memory, and whose disk can be made to fail as soon as a commit is linked. */
async function wikiOnFailingDisk() {
  let fails: (call: FileSystemCall) => boolean = () => false;
  let isLinked = false;
  const fs = observedFileSystem(nodeFileSystem, (call) => {
    if (isLinked && fails(call)) throw ioError;
    isLinked ||= isLink(call);
  });
  const directory = bareRepository();
  const repository = await openTestRepository(directory, Date.now, { fs, cacheBytes: 0 });
  // The disk is well again before the wiki is closed.
  onTestFinished(() => {
    fails = () => false;
  });
  const index = (await openTestIndexes()).open({
    repository,
    snapshotDirectory: temporaryDirectory(),
    readOnly: false,
  });
  const nobodyAsks = () => Promise.reject(new Error('Nobody asks for it.'));
  const names = async () => ['main'];
  let requests = 0;
  const wiki = createWiki({
    directory: {
      names,
      open: async () => ({ repository, index }),
      visit: nobodyAsks,
      unopened: () => {
        throw new Error('Nobody asks.');
      },
      create: nobodyAsks,
      requireDefault: nobodyAsks,
      importBundle: nobodyAsks,
      readRound: nobodyAsks,
      keepRound: nobodyAsks,
      uploads: () => {
        throw new Error('Nobody asks for it.');
      },
      removeOldUploads: nobodyAsks,
    },
    defaultWiki: 'main',
    newRequestId: () => `request-${++requests}`,
    now: Date.now,
    host: { backend: 'test', versions: {}, wikis: names, problems: [] },
  });
  return {
    wiki,
    call: { caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: null } },
    directory,
    failAfterLinking(which: typeof fails) {
      isLinked = false;
      fails = which;
    },
  };
}
