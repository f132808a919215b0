import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { noise } from '../../../../../../labs/noise.ts';
import { git, temporaryDirectory } from '../../../../test/native-git.ts';
import { commitFiles } from '../../../../test/operations/local-backends.ts';
import { limits } from '../../../contract/limits.ts';
import { openWiki } from '../../../open-wiki.ts';

const call = { caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: null } };
const MOST = 100_000;

test.each(['bundle', 'zip', 'folder'] as const)(
  'a %s that is more than the backend gives is refused before it is made, with what to use instead',
  async (format) => {
    const { wiki, lookedAt } = await wikiOf(300);
    const refusal = await wiki.export_wiki({ format }, { ...call, progress: lookedAt.push }).catch((e) => e);
    expect(refusal).toMatchObject({
      code: 'too_large',
      data: { most: MOST },
      text: { now: 'Nothing was exported.', next: expect.stringMatching(/git clone --bare/) },
    });
    // It stops when it has as many bytes as it may give.
    expect(refusal.data.bytes).toBeGreaterThan(MOST);
    if (format === 'bundle') expect(lookedAt.all).toEqual([]);
    else expect(Math.max(...lookedAt.all)).toBeLessThan(200);
  },
);

test('a bundle whose packs are small, and which is not, is refused as soon as it is too large', async () => {
  const { directory } = await wikiOf(1);
  const writer = await openIn(directory, 'local');
  // Versions of one page that are alike: in a pack a few bytes each, in a bundle all of it.
  const line = { path: 'P', create: true };
  await writer.wiki.append_to_page({ ...line, content: noise(30_000).toString('hex') }, call);
  for (let version = 0; version < 6; version += 1)
    await writer.wiki.append_to_page({ ...line, content: `${version}` }, call);
  await writer.settle();
  git(join(directory, 'main.git'), ['repack', '-adfq']);
  const { wiki } = await openIn(directory, 'local');
  const refusal = await wiki.export_wiki({ format: 'bundle' }, call).catch((error) => error);
  expect(refusal).toMatchObject({ code: 'too_large' });
  expect(refusal.data.bytes).toBeLessThan(2 * MOST);
});

test('an export within the limit is complete', async () => {
  const { wiki } = await wikiOf(10);
  for (const format of ['bundle', 'zip'] as const)
    expect((await wiki.export_wiki({ format }, call)).size).toBeLessThan(MOST);
});

test('every name of a file counts its unpacked size: else an export of many names could take hours', async () => {
  const directory = temporaryDirectory();
  const repository = join(directory, 'main.git');
  git(directory, ['init', '--quiet', '--bare', '--initial-branch=main', 'main.git']);
  const blob = git(repository, ['hash-object', '-w', '--stdin'], Buffer.alloc(40_000_000));
  const names = Array.from({ length: 9 }, (_, at) => `100644 blob ${blob}\t${at}.bin\n`);
  const tree = git(repository, ['mktree'], names.join(''));
  git(repository, ['update-ref', 'refs/heads/main', git(repository, ['commit-tree', tree, '-m', 'm'])]);
  const { wiki } = await openIn(directory, 'shared', { attachmentBytes: limits.exportBytes });
  const done: number[] = [];
  const exported = wiki.export_wiki({ format: 'folder' }, { ...call, progress: (count) => done.push(count) });
  await expect(exported).rejects.toMatchObject({ code: 'too_large', data: { bytes: 160_000_000 } });
  expect(Math.max(...done)).toBe(3);
});

/** So many pages of a kilobyte that cannot be compressed to less than half. */
async function wikiOf(pages: number) {
  const directory = temporaryDirectory();
  git(directory, ['init', '--quiet', '--bare', '--initial-branch=main', 'main.git']);
  const files = Array.from({ length: pages }, (_, page) => [`${page}.md`, noise(500).toString('hex')]);
  commitFiles(join(directory, 'main.git'), Object.fromEntries(files));
  const { wiki } = await openIn(directory, 'shared');
  const all: number[] = [];
  return { wiki, directory, lookedAt: { all, push: (done: number) => void all.push(done) } };
}

async function openIn(directory: string, placement: 'local' | 'shared', bounds = { attachmentBytes: MOST }) {
  const host = { backend: 'test', versions: {}, problems: [], ...bounds };
  const opened = await openWiki({ directory, wiki: 'main', placement, host });
  onTestFinished(() => opened.close());
  return opened;
}
