import { join } from 'node:path';
import * as sqlite from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { bareRepository, temporaryDirectory } from '../../test/native-git.ts';
import { changeOf, openTestRepository, text } from '../../test/test-repository.ts';
import type { Repository } from '../core/ports.ts';
import type { Steps } from '../scheduling/in-turns.ts';
import { createPacer } from './pacer.ts';
import { type CopySource, copySource } from './sqlite/copy-source.ts';
import type { IndexDatabase } from './sqlite/index-database.ts';
import { countPages } from './sqlite/query-pages.ts';
import { openSnapshots } from './sqlite/snapshots.ts';
import { openInMemory, type WorkingCopy } from './sqlite/working-copy.ts';
import { StandingIndex } from './standing-index.ts';

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
  const begin: CopySource['begin'] = async (attempt, isReachable) => {
    const copy = await source.begin(attempt, isReachable);
    copies.push(copy);
    return copy;
  };
  return { source: { ...source, begin }, copies };
}

function openStanding(...given: ConstructorParameters<typeof StandingIndex>): StandingIndex {
  const index = new StandingIndex(...given);
  onTestFinished(() => index.close());
  return index;
}

async function openWikiOfTwo() {
  const repository = await openTestRepository(bareRepository());
  await repository.write(changeOf([text('One.md', 'One.\n'), text('Two.md', 'Two.\n')]));
  return { repository, head: (await repository.head()).commit ?? '' };
}

test.each(['DROP TABLE pages', 'DELETE FROM state', 'DELETE FROM commits', 'DROP TABLE touches'])(
  'an index that lost something is rebuilt: %s',
  async (damage) => {
    const { repository, head } = await openWikiOfTwo();
    const { source, copies } = openSource();
    const index = openStanding(repository, source);
    expect(await index.at(head, countPages)).toBe(2);
    copies[0]?.database.sqlite.exec(damage);
    await repository.write(changeOf([text('Three.md', 'Three.\n')]));
    const next = (await repository.head()).commit ?? '';
    expect(await index.at(next, countPages)).toBe(3);
    expect(await index.at(head, countPages)).toBe(2);
  },
);

test('the index is made in memory if its files fail again and again', async () => {
  const { repository, head } = await openWikiOfTwo();
  const attempts: number[] = [];
  const broken = () => {
    const copy = openInMemory({ sqlite });
    copy.database.sqlite.exec('DROP TABLE commits');
    return copy;
  };
  const { source } = openSource();
  const index = openStanding(repository, {
    ...source,
    begin: async (attempt, isReachable) => {
      attempts.push(attempt);
      return attempt < 2 ? broken() : source.begin(attempt, isReachable);
    },
  });
  expect(await index.at(head, countPages)).toBe(2);
  expect(attempts).toEqual([0, 1, 2]);
});

test('a defect in background work is reported once, to the next query', async () => {
  const { repository, head } = await openWikiOfTwo();
  const { source } = openSource();
  const index = openStanding(repository, {
    ...source,
    advanced: () => Promise.reject(new TypeError('a defect')),
  });
  expect(await index.at(head, countPages)).toBe(2);
  await repository.write(changeOf([text('Three.md', 'Three.\n')]));
  const next = (await repository.head()).commit ?? '';
  await expect(index.at(next, countPages)).rejects.toThrow('a defect');
  expect(await index.at(next, countPages)).toBe(3);
});

test('a caller that gives up gets the answer that there is no snapshot yet, and its making continues', async () => {
  const { repository, head } = await openWikiOfTwo();
  const { source } = openSource();
  const begun = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const index = openStanding(repository, {
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

test('a failure outside of SQLite is reported, and the index is kept', async () => {
  const { repository, head } = await openWikiOfTwo();
  const { source, copies } = openSource();
  const index = openStanding(repository, source);
  const fail = () => {
    throw new Error('The query is wrong.');
  };
  await expect(index.at(head, fail)).rejects.toThrow('The query is wrong.');
  expect(await index.at(head, countPages)).toBe(2);
  expect(copies).toHaveLength(1);
});

test('a wait that is cancelled or too long is reported as such, and the work continues', async () => {
  const { repository, head } = await openWikiOfTwo();
  const { source } = openSource();
  const begun = Promise.withResolvers<void>();
  const index = openStanding(repository, {
    ...source,
    begin: async (...args) => {
      await begun.promise;
      return source.begin(...args);
    },
  });
  const busy = { name: 'WikiError', code: 'busy' };
  await expect(index.catchUp(head, undefined, AbortSignal.abort())).rejects.toMatchObject(busy);
  await expect(index.catchUp(head, undefined, AbortSignal.timeout(1))).rejects.toMatchObject(busy);
  begun.resolve();
  expect(await index.at(head, countPages)).toBe(2);
});

test('closing an index ends its catch-up, and the next query begins a new one', async () => {
  const { repository, head } = await openWikiOfTwo();
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const readMuch: Repository['readMuch'] = async (work) => {
    begun.resolve();
    await goOn.promise;
    return repository.readMuch(work);
  };
  const index = openStanding({ ...repository, readMuch }, openSource().source);
  const caughtUp = index.catchUp(head).then(
    () => 'to its end',
    (error) => error.code,
  );
  await begun.promise;
  const closing = index.close();
  // Longer than one turn of the work.
  await setTimeout(20);
  goOn.resolve();
  await closing;
  expect(await caughtUp).toBe('busy');
  expect(await index.at(head, countPages)).toBe(2);
});

test('the end of the process ends a long query, and a snapshot that is due is still made', async () => {
  const { repository, head } = await openWikiOfTwo();
  const begun = Promise.withResolvers<void>();
  let advanced = 0;
  const index = openStanding(repository, {
    ...openSource().source,
    advanced: async () => {
      advanced += 1;
    },
  });
  const long = index
    .inSteps(head, () => steps(begun.resolve), createPacer())
    .then(
      () => 'to its end',
      (error) => error.code,
    );
  await begun.promise;
  await index.end();
  expect(await long).toBe('busy');
  expect(advanced).toBe(1);
});

function* steps(begin: () => void): Steps<void> {
  begin();
  // Without an end: only the end of the process ends it.
  for (;;) yield;
}

test('a long query is answered as of its commit while the index moves on', async () => {
  const { repository, head } = await openWikiOfTwo();
  const index = openStanding(repository, openSource().source);
  await index.at(head, countPages);
  const slowly = () => index.inSteps(head, countOften, createPacer());
  const before = slowly();
  await repository.write(changeOf([text('Three.md', 'Three.\n')]));
  const next = (await repository.head()).commit ?? '';
  const after = index.at(next, countPages);
  expect(await Promise.all([before, after, slowly()])).toEqual([[2], 3, [2]]);
});

/** Each different answer of some 40 ms of counting. */
function* countOften(database: IndexDatabase): Steps<number[]> {
  const counts = new Set<number>();
  for (const until = performance.now() + 40; performance.now() < until; ) {
    counts.add(countPages(database));
    yield;
  }
  return [...counts];
}
