import { createHash } from 'node:crypto';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bareRepository, git, temporaryDirectory } from '../../test/native-git.ts';
import { expectSameAnswers } from '../../test/search/same-answers.ts';
import { openTestIndexes } from '../../test/search/test-indexes.ts';
import { changeOf, openTestRepository, text } from '../../test/test-repository.ts';
import type { OpenIndex } from '../core/index-port.ts';
import type { Repository } from '../core/ports.ts';
import { scanIndex } from './scan-index.ts';
import { indexFormat } from './sqlite/schema.ts';

const paths = ['Page 1', 'Page 3', 'Moved', 'Never'];

/** A wiki large enough to get a snapshot. */
async function openWikiOf(pages: number): Promise<{ repository: Repository; head: string }> {
  const repository = await openTestRepository(bareRepository());
  const files = Array.from({ length: pages }, (_, at) =>
    text(`Page ${at}.md`, `# Template ${at}\n\nSee [[Page ${at + 1}]] and the index.\n`),
  );
  await repository.write(changeOf(files));
  return { repository, head: await write(repository, 'Page 1.md', 'Changed template.\n') };
}

async function write(repository: Repository, path: string, content: string): Promise<string> {
  await repository.write(changeOf([text(path, content)]));
  const { commit } = await repository.head();
  if (commit === null) throw new Error('A wiki that was written to has a head.');
  return commit;
}

/** Has one process make a snapshot, and returns its file. */
async function makeSnapshot(repository: Repository, head: string, directory: string): Promise<string> {
  const indexes = await openTestIndexes();
  await indexes.open({ repository, snapshotDirectory: directory, readOnly: false }).catchUp(head);
  await indexes.close();
  const [name = ''] = await readdir(directory);
  return join(directory, name);
}

const everything = { prefix: '', sort: 'path' as const, offset: 0, limit: 1 };

const templates = {
  query: 'newer template',
  mode: 'words' as const,
  prefix: '',
  contextLines: 0,
  offset: 0,
  limit: 5,
};

/** The number of whole builds that a new process needs for a right answer. */
async function buildsOf(repository: Repository, head: string, directory: string): Promise<number> {
  let builds = 0;
  const readMuch: Repository['readMuch'] = (work) => {
    builds += 1;
    return repository.readMuch(work);
  };
  const indexes = await openTestIndexes();
  const index = indexes.open({
    repository: { ...repository, readMuch },
    snapshotDirectory: directory,
    readOnly: false,
  });
  await index.catchUp(head);
  const counted = builds;
  const [query, judge] = [{ ...templates, commit: head }, scanIndex(repository)];
  const [found, wanted] = [await index.search(query), await judge.search(query)];
  expect([found.rows, found.total]).toEqual([wanted.rows, wanted.total]);
  expect(await index.links(head, 'Page 3')).toEqual(await judge.links(head, 'Page 3'));
  return counted;
}

test('a new process begins with the snapshot of another one, and catches up from there', async () => {
  const { repository, head } = await openWikiOf(250);
  const directory = join(temporaryDirectory(), 'snapshots');
  await makeSnapshot(repository, head, directory);
  expect(await readdir(directory)).toHaveLength(1);
  expect(
    await buildsOf(repository, await write(repository, 'Page 3.md', 'Newer template.\n'), directory),
  ).toBe(0);
});

test('a snapshot with any damaged byte is not used', async () => {
  const { repository, head } = await openWikiOf(250);
  const directory = join(temporaryDirectory(), 'snapshots');
  const file = await makeSnapshot(repository, head, directory);
  const whole = await readFile(file);
  const flipped = (at: number) => whole.map((byte, place) => (place === at ? byte ^ 1 : byte));
  for (const damaged of [
    flipped(0),
    flipped(whole.length >> 1),
    flipped(whole.length - 1),
    whole.subarray(0, whole.length - 1),
    whole.subarray(0, 100),
    new Uint8Array(0),
    new Uint8Array(5_000),
  ]) {
    await writeFile(file, damaged);
    expect(await buildsOf(repository, head, directory)).toBe(1);
  }
  await writeFile(file, whole);
  expect(await buildsOf(repository, head, directory)).toBe(0);
});

test('a complete file that is not an index is not used', async () => {
  const { repository, head } = await openWikiOf(250);
  const directory = temporaryDirectory();
  const content = zstdCompressSync(Buffer.from('Something else altogether. '.repeat(1_000)));
  const checksum = createHash('sha256').update(content).digest('hex').slice(0, 32);
  await writeFile(join(directory, `${indexFormat}-000000999-${head}-${checksum}`), content);
  expect(await buildsOf(repository, head, directory)).toBe(1);
});

test('a snapshot of another wiki is not used', async () => {
  const [ours, other] = [await openWikiOf(250), await openWikiOf(260)];
  const directory = join(temporaryDirectory(), 'snapshots');
  await makeSnapshot(other.repository, other.head, directory);
  expect(await buildsOf(ours.repository, ours.head, directory)).toBe(1);
});

test('a snapshot of another format is left alone', async () => {
  const { repository, head } = await openWikiOf(250);
  const directory = join(temporaryDirectory(), 'snapshots');
  const file = await makeSnapshot(repository, head, directory);
  const newer = temporaryDirectory();
  await cp(file, join(newer, `${indexFormat + 10}-${file.split('/').at(-1)?.replace(/^\d+-/, '')}`));
  expect(await buildsOf(repository, head, newer)).toBe(1);
});

test('the wiki unused for longest makes room, and its next query still gets an answer', async () => {
  const [one, two] = [await openWikiOf(20), await openWikiOf(30)];
  const indexes = await openTestIndexes({ mostBytes: 1 });
  const [first, second] = [one, two].map(({ repository }) =>
    indexes.open({ repository, snapshotDirectory: temporaryDirectory(), readOnly: false }),
  ) as [OpenIndex, OpenIndex];
  for (let round = 0; round < 3; round++) {
    expect((await first.list({ ...everything, commit: one.head })).total).toBe(20);
    expect((await second.list({ ...everything, commit: two.head })).total).toBe(30);
  }
  await expectSameAnswers(first, scanIndex(one.repository), one.head, paths);
});

test('without a writable directory queries are answered without index or snapshot files', async () => {
  const { repository, head } = await openWikiOf(250);
  const file = join(temporaryDirectory(), 'file');
  await writeFile(file, 'in the way');
  const indexes = await openTestIndexes({ workDirectory: join(file, 'work') });
  const index = indexes.open({ repository, snapshotDirectory: join(file, 'snapshots'), readOnly: false });
  await expectSameAnswers(index, scanIndex(repository), head, paths);
});

test('working copies have no file names, so none is left behind', async () => {
  const { repository, head } = await openWikiOf(20);
  const workDirectory = temporaryDirectory();
  const indexes = await openTestIndexes({ workDirectory });
  await indexes.open({ repository, snapshotDirectory: temporaryDirectory(), readOnly: false }).catchUp(head);
  expect(await readdir(workDirectory)).toEqual([]);
});

test('a build reports its progress to every waiting caller, and continues if one gives up', async () => {
  const { repository, head } = await openWikiOf(400);
  const indexes = await openTestIndexes();
  const index = indexes.open({ repository, snapshotDirectory: temporaryDirectory(), readOnly: false });
  const reported = [0, 0];
  const gaveUp = new AbortController();
  const first = index.catchUp(
    head,
    () => {
      reported[0] = (reported[0] ?? 0) + 1;
      gaveUp.abort(new Error('gave up'));
    },
    gaveUp.signal,
  );
  const second = index.catchUp(head, () => {
    reported[1] = (reported[1] ?? 0) + 1;
  });
  await expect(first).rejects.toMatchObject({ code: 'busy' });
  await second;
  expect(reported[0]).toBeGreaterThan(0);
  expect(reported[1]).toBeGreaterThan(0);
  expect(await index.count(head)).toBe(400);
});

test('a failure of the repository fails the query and nothing else', async () => {
  const { repository, head } = await openWikiOf(20);
  let isBroken = true;
  const at: Repository['at'] = (commit) =>
    isBroken ? Promise.reject(new Error('The mount is gone.')) : repository.at(commit);
  const indexes = await openTestIndexes();
  const index = indexes.open({
    repository: { ...repository, at },
    snapshotDirectory: temporaryDirectory(),
    readOnly: false,
  });
  await expect(index.catchUp(head)).rejects.toThrow('The mount is gone.');
  isBroken = false;
  await expectSameAnswers(index, scanIndex(repository), head, paths);
});

test('simultaneous queries of old and new commits are each answered as of their own commit', async () => {
  const { repository, head: first } = await openWikiOf(20);
  const indexes = await openTestIndexes();
  const index = indexes.open({ repository, snapshotDirectory: temporaryDirectory(), readOnly: false });
  const heads = [first];
  for (let page = 0; page < 5; page++) heads.push(await write(repository, `New ${page}.md`, 'Template.\n'));
  const asked = [...heads, ...heads.toReversed(), ...heads];
  const lists = await Promise.all(asked.map((commit) => index.list({ ...everything, commit })));
  expect(lists.map(({ total }) => total)).toEqual(asked.map((commit) => 20 + heads.indexOf(commit)));
});

test('maintenance leaves a snapshot of the newest commit, unless the wiki is read-only', async () => {
  const { repository, head } = await openWikiOf(3);
  const snapshotDirectory = join(temporaryDirectory(), 'snapshots');
  const indexes = await openTestIndexes();
  const reader = indexes.open({ repository, snapshotDirectory, readOnly: true });
  expect(await reader.save(head)).toBe(false);
  const writer = indexes.open({ repository, snapshotDirectory, readOnly: false });
  expect([await writer.save(head), await writer.save(head)]).toEqual([true, true]);
  expect(await readdir(snapshotDirectory)).toHaveLength(1);
  expect(await buildsOf(repository, head, snapshotDirectory)).toBe(0);
});

test('a process that may not write snapshots still begins with one', async () => {
  const { repository, head } = await openWikiOf(250);
  const snapshotDirectory = join(temporaryDirectory(), 'snapshots');
  await makeSnapshot(repository, head, snapshotDirectory);
  const [name] = await readdir(snapshotDirectory);
  const next = await write(repository, 'Page 3.md', 'Newer template.\n');
  const indexes = await openTestIndexes();
  const readMuch: Repository['readMuch'] = () => Promise.reject(new Error('There is no need to build.'));
  const index = indexes.open({ repository: { ...repository, readMuch }, snapshotDirectory, readOnly: true });
  expect((await index.list({ ...everything, commit: next })).total).toBe(250);
  await indexes.close();
  expect(await readdir(snapshotDirectory)).toEqual([name]);
});

test('a commit that is not in the history of the branch is not found, and costs no index', async () => {
  const directory = bareRepository();
  const repository = await openTestRepository(directory);
  await repository.write(changeOf([text('One.md', 'One.\n')]));
  const head = await write(repository, 'Two.md', 'Two.\n');
  const elsewhere = git(directory, ['commit-tree', '-m', 'Elsewhere', '-p', `${head}^`, `${head}^{tree}`]);
  let builds = 0;
  const readMuch: Repository['readMuch'] = (work) => {
    builds += 1;
    return repository.readMuch(work);
  };
  const indexes = await openTestIndexes();
  const snapshotDirectory = temporaryDirectory();
  const index = indexes.open({
    repository: { ...repository, readMuch },
    snapshotDirectory,
    readOnly: false,
  });
  const total = async (commit: string) => (await index.list({ ...everything, commit })).total;
  expect(await total(head)).toBe(2);
  await expect(total(elsewhere)).rejects.toMatchObject({ code: 'not_found' });
  expect(await total(head)).toBe(2);
  expect(builds).toBe(1);
});

test('a read or a write of a page gets near names and the page count while the index is built', async () => {
  const { repository, head } = await openWikiOf(400);
  const indexes = await openTestIndexes();
  const snapshotDirectory = temporaryDirectory();
  const index = indexes.open({ repository, snapshotDirectory, readOnly: false });
  let isBuilt = false;
  const building = index.catchUp(head).then(() => {
    isBuilt = true;
  });
  expect(await index.count(head)).toBe(400);
  expect(await index.paths(head)).toContain('Page 399');
  expect(isBuilt).toBe(false);
  await building;
  expect(await index.paths(head)).toEqual(await scanIndex(repository).paths(head));
});

test('a search after a change or as of an earlier commit scores pages as a rebuilt index does', async () => {
  const { repository, head } = await openWikiOf(3);
  const open = async () => {
    const indexes = await openTestIndexes();
    return indexes.open({ repository, snapshotDirectory: temporaryDirectory(), readOnly: true });
  };
  const searched = async (index: OpenIndex, commit: string) => {
    await index.catchUp(commit);
    const { rows } = await index.search({ ...templates, query: 'template', commit });
    return rows.map(({ path, score }) => [path, score]);
  };
  const index = await open();
  const before = await searched(index, head);
  const long = await write(repository, 'Page 2.md', `Template. ${'Other words. '.repeat(200)}\n`);
  const after = await searched(index, long);
  expect(after).toEqual(await searched(await open(), long));
  expect(after).not.toEqual(before);
  expect(await searched(index, head)).toEqual(before);
  expect(await searched(index, long)).toEqual(after);
});
