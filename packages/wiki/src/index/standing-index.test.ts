import { join } from 'node:path';
import * as sqlite from 'node:sqlite';
import { expect, test } from 'vitest';
import { bareRepository, temporaryDirectory } from '../../test/native-git.ts';
import { changeOf, openTestRepository, text } from '../../test/test-repository.ts';
import { copySource } from './copy-source.ts';
import { countPages } from './query-pages.ts';
import { openSnapshots } from './snapshots.ts';
import { type CopySource, StandingIndex } from './standing-index.ts';
import { openInMemory, type WorkingCopy } from './working-copy.ts';

/** A source of copies that the test can reach into. */
function openSource(): { source: CopySource; copies: WorkingCopy[] } {
  const copies: WorkingCopy[] = [];
  const source = copySource({
    directory: temporaryDirectory(),
    sqlite,
    snapshots: openSnapshots({
      directory: join(temporaryDirectory(), 'none'),
      randomName: String,
      now: Date.now,
    }),
    readOnly: true,
    randomName: () => `copy-${copies.length}`,
    now: Date.now,
    took: () => {},
  });
  const begin = async (attempt: number) => {
    const copy = await source.begin(attempt);
    copies.push(copy);
    return copy;
  };
  return { source: { ...source, begin }, copies };
}

async function openWikiOfTwo() {
  const repository = await openTestRepository(bareRepository());
  await repository.write(changeOf([text('One.md', 'One.\n'), text('Two.md', 'Two.\n')]));
  return { repository, head: (await repository.head()).commit ?? '' };
}

test.each(['DROP TABLE pages', 'DELETE FROM state', 'DELETE FROM commits', 'DROP TABLE touches'])(
  'an index that lost something is made anew: %s',
  async (damage) => {
    const { repository, head } = await openWikiOfTwo();
    const { source, copies } = openSource();
    const index = new StandingIndex(repository, source);
    expect(await index.at(head, countPages)).toBe(2);
    copies[0]?.database.sqlite.exec(damage);
    await repository.write(changeOf([text('Three.md', 'Three.\n')]));
    const next = (await repository.head()).commit ?? '';
    expect(await index.at(next, countPages)).toBe(3);
    expect(await index.at(head, countPages)).toBe(2);
  },
);

test('where files fail again and again the index is made in memory', async () => {
  const { repository, head } = await openWikiOfTwo();
  const attempts: number[] = [];
  const broken = () => {
    const copy = openInMemory({ sqlite });
    copy.database.sqlite.exec('DROP TABLE commits');
    return copy;
  };
  const { source } = openSource();
  const index = new StandingIndex(repository, {
    ...source,
    begin: async (attempt) => {
      attempts.push(attempt);
      return attempt < 2 ? broken() : source.begin(attempt);
    },
  });
  expect(await index.at(head, countPages)).toBe(2);
  expect(attempts).toEqual([0, 1, 2]);
});

test('who gives up leaves the snapshot to be made without them, and hears that there is none yet', async () => {
  const { repository, head } = await openWikiOfTwo();
  const { source } = openSource();
  const begun = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const index = new StandingIndex(repository, {
    ...source,
    save: async () => {
      begun.resolve();
      await goOn.promise;
      return true;
    },
  });
  const time = new AbortController();
  const first = index.save(head, time.signal);
  await begun.promise;
  const second = index.save(head);
  time.abort();
  expect(await first).toBe(false);
  goOn.resolve();
  expect(await second).toBe(true);
});

test('a failure that is not of SQLite is told, and the index is kept', async () => {
  const { repository, head } = await openWikiOfTwo();
  const { source, copies } = openSource();
  const index = new StandingIndex(repository, source);
  const fail = () => {
    throw new Error('The query is wrong.');
  };
  await expect(index.at(head, fail)).rejects.toThrow('The query is wrong.');
  expect(await index.at(head, countPages)).toBe(2);
  expect(copies).toHaveLength(1);
});

test('waiting that is cancelled or takes too long is told as that, and the work goes on', async () => {
  const { repository, head } = await openWikiOfTwo();
  const { source } = openSource();
  const begun = Promise.withResolvers<void>();
  const index = new StandingIndex(repository, {
    ...source,
    begin: async (attempt) => {
      await begun.promise;
      return source.begin(attempt);
    },
  });
  const busy = { name: 'WikiError', code: 'busy' };
  await expect(index.catchUp(head, undefined, AbortSignal.abort())).rejects.toMatchObject(busy);
  await expect(index.catchUp(head, undefined, AbortSignal.timeout(1))).rejects.toMatchObject(busy);
  begun.resolve();
  expect(await index.at(head, countPages)).toBe(2);
});
