import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { bareRepository, temporaryDirectory } from '../../../test/native-git.ts';
import { changeOf, openTestRepository, text } from '../../../test/test-repository.ts';
import { WikiError } from '../../contract/errors.ts';
import type { Repository } from '../../core/ports.ts';
import { atOnce } from '../../scheduling/in-turns.ts';
import { openPageVectors, type PageVectorsOptions } from './page-vectors.ts';
import { openVectorStore } from './vector-store.ts';
import { vectorOf } from './vectors.ts';

type Embed = (texts: readonly string[]) => readonly (readonly number[])[];

const ones: Embed = (texts) => texts.map(() => [1, 1, 1]);

async function wikiOf(pages: number) {
  const repository = await openTestRepository(bareRepository());
  const files = Array.from({ length: pages }, (_, at) => text(`Page ${at + 100}.md`, `Page ${at + 100}\n`));
  await repository.write(changeOf(files));
  return { repository, directory: temporaryDirectory(), commit: await headOf(repository) };
}

async function headOf(repository: Repository): Promise<string> {
  const { commit } = await repository.head();
  if (commit === null) throw new Error('A wiki that was written to has a head.');
  return commit;
}

function open(
  { repository, directory }: Pick<PageVectorsOptions, 'repository'> & { directory: string },
  embed: Embed,
  more: Partial<PageVectorsOptions> = {},
) {
  const asked: string[] = [];
  const embedder = {
    name: 'test',
    async embed(texts: readonly string[]) {
      asked.push(...texts);
      return embed(texts).map((values) => Float32Array.from(values));
    },
  };
  const randomFileName = () => randomUUID();
  const store = openVectorStore({
    directory,
    model: 'test',
    readOnly: false,
    isPrivate: true,
    randomFileName,
  });
  const vectors = openPageVectors({ repository, embedder, store, retryMs: [], ...more });
  onTestFinished(() => vectors.close());
  const missing = (commit: string, count: number) =>
    expect.poll(async () => (await vectors.cover(commit)).missing).toBe(count);
  const alike = (question: readonly number[]) => {
    const vector = vectorOf(Float32Array.from(question));
    return vector === null ? [] : atOnce(vectors.alike(vector));
  };
  return { ...vectors, asked, missing, alike, pagesLike: vectors.alike };
}

function failure(): WikiError {
  return new WikiError('backend_unavailable', { happened: 'It failed.', now: '', next: '' });
}

test('a wiki with too many vectors gets no more, and says how many pages lack theirs', async () => {
  const wiki = await wikiOf(60);
  const { asked, cover, missing } = open(wiki, (texts) => texts.map(() => Array(100).fill(1)), {
    maxBytes: 2_500,
  });
  await missing(wiki.commit, 28);
  expect(await cover(wiki.commit)).toEqual({ missing: 28, failed: null });
  expect(asked).toHaveLength(32);
});

test('past versions do not take the room of pages, in this process or the next', async () => {
  const wiki = await wikiOf(30);
  const hundred: Embed = (texts) => texts.map(() => Array(100).fill(1));
  const first = open(wiki, hundred, { maxBytes: 4_500 });
  await first.missing(wiki.commit, 0);
  let head = wiki.commit;
  for (let entry = 0; entry < 20; entry += 1) {
    await wiki.repository.write(changeOf([text('Log.md', `Entry ${entry}\n`)]));
    head = await headOf(wiki.repository);
    await first.missing(head, 0);
  }
  await first.close();
  await open(wiki, hundred, { maxBytes: 4_500 }).missing(head, 0);
});

test('another model under the same name has its own vectors, and those of the first are no answer', async () => {
  const wiki = await wikiOf(20);
  const first = open(wiki, ones);
  await first.missing(wiki.commit, 0);
  await first.close();
  const second = open(wiki, (texts) => texts.map(() => [1, 1, 1, 1]));
  await second.missing(wiki.commit, 0);
  expect(second.alike([1, 1, 1, 1])).toEqual([]);
  await second.missing(wiki.commit, 0);
  expect(second.alike([1, 1, 1, 1])).toHaveLength(20);
  await second.close();
  const third = open(wiki, (texts) => texts.map(() => [1, 1, 1, 1]));
  await third.missing(wiki.commit, 0);
  expect(third.alike([1, 1, 1, 1])).toHaveLength(20);
  expect(third.asked).toEqual([]);
});

test('an answer of zeros is a failure, and no page without text', async () => {
  const wiki = await wikiOf(20);
  let values = [0, 0, 0];
  const vectors = open(wiki, (texts) => texts.map(() => values));
  await expect
    .poll(() => vectors.cover(wiki.commit))
    .toEqual({ missing: 20, failed: expect.stringContaining('no direction') });
  values = [1, 1, 1];
  await vectors.missing(wiki.commit, 0);
  expect(vectors.alike([1, 1, 1])).toHaveLength(20);
});

test('a page whose text the provider refuses goes without, and keeps no other from its vectors', async () => {
  const wiki = await wikiOf(60);
  const { asked, cover, missing } = open(wiki, (texts) => {
    if (texts.some((each) => each.includes('Page 100'))) throw failure();
    return ones(texts);
  });
  await missing(wiki.commit, 1);
  const before = asked.length;
  expect(await cover(wiki.commit)).toEqual({ missing: 1, failed: null });
  expect(asked).toHaveLength(before);
});

test('a page that cannot be read goes without', async () => {
  const wiki = await wikiOf(5);
  const snapshot = await wiki.repository.at(wiki.commit);
  const lost = (await snapshot.entry('Page 103.md'))?.oid;
  const blob = async (oid: string) => {
    if (oid === lost) throw new WikiError('internal', { happened: 'It is lost.', now: '', next: '' });
    return snapshot.blob(oid);
  };
  const at = async () => ({ ...snapshot, files: () => snapshot.files(), blob });
  const vectors = open({ ...wiki, repository: { ...wiki.repository, at } }, ones);
  await vectors.missing(wiki.commit, 1);
  expect(await vectors.cover(wiki.commit)).toEqual({ missing: 1, failed: null });
  expect(vectors.alike([1, 1, 1])).toHaveLength(4);
});

test('pages outside of the folders take no place among those that are like a question', async () => {
  const repository = await openTestRepository(bareRepository());
  const outside = Array.from({ length: 1_001 }, (_, at) => text(`Out/${at}.md`, `Outside ${at}\n`));
  await repository.write(changeOf([text('In/Page.md', 'Inside\n'), ...outside]));
  const commit = await headOf(repository);
  const direction = (each: string) => (each.includes('Inside') ? [1, 0] : [1, 1]);
  const vectors = open({ repository, directory: temporaryDirectory() }, (texts) => texts.map(direction));
  await vectors.missing(commit, 0);
  const question = vectorOf(Float32Array.from([1, 1]));
  if (question === null) throw new Error('The question has a direction.');
  expect(atOnce(vectors.pagesLike(question, ['In/']))).toHaveLength(1);
});
