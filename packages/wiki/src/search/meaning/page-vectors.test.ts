import { expect, test, vi } from 'vitest';
import { bareRepository, temporaryDirectory } from '../../../test/native-git.ts';
import { changeOf, openTestRepository, text } from '../../../test/test-repository.ts';
import { openPageVectors } from './page-vectors.ts';
import { openVectorStore } from './vector-store.ts';

test('a wiki with too many vectors gets no more, and says how many pages lack theirs', async () => {
  const repository = await openTestRepository(bareRepository());
  await repository.write(
    changeOf(Array.from({ length: 60 }, (_, at) => text(`Page ${at}.md`, `Page ${at}\n`))),
  );
  const { commit } = await repository.head();
  if (commit === null) throw new Error('A wiki that was written to has a head.');
  let asked = 0;
  const embedder = {
    name: 'test',
    embed: async (texts: readonly string[]) => {
      asked += texts.length;
      return texts.map(() => new Float32Array(100).fill(1));
    },
  };
  const directory = temporaryDirectory();
  const files = { readOnly: false, isPrivate: true, randomFileName: () => `${asked}` };
  const store = openVectorStore({ directory, model: 'test', ...files });
  const vectors = openPageVectors({ repository, embedder, store, maxBytes: 2_500 });
  await vi.waitFor(async () => expect((await vectors.cover(commit)).missing).toBe(28));
  expect(await vectors.cover(commit)).toEqual({ missing: 28, failed: null });
  expect(asked).toBe(32);
  await vectors.close();
});
