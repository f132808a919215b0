import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { git, temporaryDirectory } from '../../../../test/native-git.ts';
import { commitFiles } from '../../../../test/operations/local-backends.ts';
import { openTestIndexes } from '../../../../test/search/test-indexes.ts';
import { rememberingFileSystem } from '../../../../test/storage/file-systems/remembering-file-system.ts';
import { openWikiDirectory } from '../../../git/wikis/wiki-directory.ts';
import { nodeFileSystem } from '../../../storage/files/node-file-system.ts';
import { nodeHost } from '../../../storage/files/node-host.ts';
import { createWiki } from '../../wiki.ts';

const caller = { author: { name: 'Ada', email: 'ada@example.org' }, agent: null };
const NAMES = ['a', 'b', 'c', 'd', 'e'];

test('successive calls tidy all wikis, each continuing where the last one stopped, even in another process', async () => {
  const { open } = wikis(NAMES);
  const done: string[] = [];
  for (let call = 1; call <= NAMES.length; call += 1) {
    // The time of each is over after its first wiki.
    const answer = await (await open()).tidy({ wikis: 1 });
    done.push(...NAMES.filter((name) => !answer.unfinished.includes(name) && !done.includes(name)));
    expect(answer.round).toMatchObject({
      wikis_done: call,
      wikis_left: NAMES.length - call,
      failures: 0,
    });
  }
  expect(done).toEqual(NAMES);
  // The next one begins a new round.
  expect((await (await open()).tidy({ wikis: 2 })).round).toMatchObject({ wikis_done: 2, wikis_left: 3 });
});

test('after the last wiki the calls of that night do nothing, and those of the next begin again', async () => {
  const { open } = wikis(NAMES);
  const first = await (await open()).tidy({ onceANight: true });
  expect(first).toMatchObject({ finished: true, unfinished: [], round: { wikis_done: 5, wikis_left: 0 } });
  const second = await (await open()).tidy({ onceANight: true });
  expect(second).toMatchObject({ packs: null, round: { wikis_done: 5, wikis_left: 0 } });
  // A person who asks for it has it done.
  expect((await (await open()).tidy({})).packs).not.toBeNull();
});

test('a wiki that cannot be tidied is counted, and the others are done', async () => {
  const { directory, open } = wikis(NAMES);
  git(directory, ['init', '--quiet', '--bare', '--object-format=sha256', 'bb.git']);
  const failure = await (await open()).tidy({}).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    data: { round: { wikis_done: 6, wikis_left: 0, failures: 1 } },
    text: { happened: expect.stringMatching(/^In the wiki "bb": /) },
  });
});

test.runIf(process.platform === 'linux')(
  'wikis that were tidied are closed, and one that was open stays so',
  async () => {
    const { open } = wikis(NAMES);
    const { wiki, tidy, openCopies } = await open();
    await wiki.list_pages({ wiki: 'b', prefix: '', sort: 'path', limit: 10 }, { caller });
    expect(openCopies()).toBe(1);
    expect((await tidy({})).round).toMatchObject({ wikis_done: 5 });
    expect(openCopies()).toBe(1);
    expect(
      await wiki.list_pages({ wiki: 'a', prefix: '', sort: 'path', limit: 10 }, { caller }),
    ).toMatchObject({
      total: 1,
    });
  },
);

test('a wiki that ends or stops each process that tidies it keeps the others waiting for five calls at most', async () => {
  const { open } = wikis(NAMES);
  for (let minute = 0; minute < 25; minute += 5) {
    const stopping = await open({ stopsAt: 'b', minute });
    void stopping.tidy({ onceANight: true });
    await stopping.stopped;
  }
  const last = await open({ stopsAt: 'b', minute: 25 });
  const failure = await last.tidy({ onceANight: true }).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    data: { round: { wikis_done: 5, wikis_left: 0, failures: 1 } },
    text: { happened: expect.stringMatching(/^In the wiki "b": /) },
  });
  // In the next round it is tried again.
  expect((await (await open({ minute: 24 * 60 })).tidy({ onceANight: true })).round).toMatchObject({
    wikis_done: 5,
    failures: 0,
  });
});

test('a wiki that ended one process is tidied by the next call, however late that is', async () => {
  const { open } = wikis(NAMES);
  const stopping = await open({ stopsAt: 'b' });
  void stopping.tidy({ onceANight: true });
  await stopping.stopped;
  const later = await open({ minute: 24 * 60 });
  expect((await later.tidy({ onceANight: true })).round).toMatchObject({ wikis_done: 5, failures: 0 });
});

test('packs that wait to be merged are reported as debt for wikis whose time was over', async () => {
  const { open } = wikis(['a']);
  const { wiki } = await open();
  for (let page = 0; page < 3; page += 1)
    await wiki.write_page({ path: `Page ${page}`, content: 'x\n', allow_shrink: false }, { caller });
  const late = await (await open()).tidy({ wikis: 0.5 });
  expect(late.round).toMatchObject({
    wikis_done: 0,
    unfinished_wikis: ['a'],
    debt_packs: expect.any(Number),
  });
  expect(late.round?.debt_packs).toBeGreaterThan(1);
  expect(late.round?.debt_bytes).toBeGreaterThan(100);
  expect((await (await open()).tidy({})).round).toMatchObject({ debt_packs: 0, debt_bytes: 0 });
});

/** Wikis in one directory; each `open` is a process of its own. */
function wikis(names: readonly string[]) {
  const directory = temporaryDirectory();
  for (const name of names) {
    git(directory, ['init', '--quiet', '--bare', '--initial-branch=main', `${name}.git`]);
    commitFiles(join(directory, `${name}.git`), { 'Home.md': 'Welcome\n' });
  }
  const open = async ({ stopsAt = '', minute = 0 } = {}) => {
    const stopped = Promise.withResolvers<void>();
    const workDirectory = temporaryDirectory();
    const indexes = await openTestIndexes({ workDirectory });
    let saved = 0;
    const own = rememberingFileSystem(nodeFileSystem);
    const wikisThere = openWikiDirectory({
      fs: own.fs,
      host: nodeHost(),
      directory,
      placement: 'shared',
      readOnly: false,
      makes: 'nothing',
      firstPages: [],
      openIndex(repository, gitDirectory) {
        const snapshotDirectory = join(gitDirectory, 'pagetree/index');
        const index = indexes.open({ repository, snapshotDirectory, readOnly: false });
        const save: typeof index.save = async (...given) => {
          if (gitDirectory.endsWith(`/${stopsAt}.git`)) {
            stopped.resolve();
            return new Promise(() => {});
          }
          const isSaved = await index.save(...given);
          saved += 1;
          return isSaved;
        };
        return { ...index, save };
      },
    });
    onTestFinished(() => (stopsAt === '' ? wikisThere.close() : own.release()));
    const wiki = createWiki({
      directory: wikisThere,
      defaultWiki: names[0] ?? '',
      newRequestId: () => crypto.randomUUID(),
      now: () => Date.now() + minute * 60_000,
      host: { backend: 'test', versions: {}, wikis: wikisThere.names, problems: [] },
    });
    /** With time for so many wikis; of one for which there is less the packs are not merged. */
    const tidy = ({ wikis: most = Number.POSITIVE_INFINITY, onceANight = false }) => {
      let asked = 0;
      const signal = {
        get aborted() {
          asked += 1;
          return saved >= most || (most < 1 && asked > 1);
        },
        throwIfAborted() {},
        addEventListener() {},
        removeEventListener() {},
      } as unknown as AbortSignal;
      return wiki.maintain_wiki({ mode: 'tidy', all: true, once_a_night: onceANight }, { caller, signal });
    };
    /** Working copies of search indexes: a process keeps one for each open wiki. */
    const openCopies = () =>
      readdirSync('/proc/self/fd').filter((fd) => openFile(fd).startsWith(workDirectory)).length;
    return { wiki, tidy, openCopies, stopped: stopped.promise };
  };
  return { directory, open };
}

function openFile(fd: string): string {
  try {
    return readlinkSync(join('/proc/self/fd', fd));
  } catch {
    return ''; // The listing's own.
  }
}
