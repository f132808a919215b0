import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { bareRepository, git } from '../../test/native-git.ts';
import { changeOf, openTestRepository, pathsOf, readText, text } from '../../test/test-repository.ts';
import { WikiError } from '../contract/errors.ts';
import type { Repository, Snapshot } from '../core/ports.ts';

describe('a repository', () => {
  let directory: string;
  let repository: Repository;
  let now: number;

  beforeEach(async () => {
    directory = bareRepository();
    now = Date.UTC(2026, 0, 1);
    repository = await openTestRepository(directory, () => now);
  });

  async function commitOf(...files: Parameters<typeof changeOf>): Promise<string> {
    const written = await repository.write(changeOf(...files));
    if (written.kind === 'unchanged') throw new Error('Nothing was written.');
    return written.commit;
  }

  test('without commits is an empty wiki, to which the first change can be written', async () => {
    const empty = await repository.head();
    expect(empty.commit).toBeNull();
    expect(await empty.entry('Home.md')).toBeNull();
    expect(await empty.folder('')).toEqual([]);
    expect(await pathsOf(empty)).toEqual([]);

    const written = await repository.write(changeOf([text('Home.md', 'Hello.\n')]));

    expect(written).toMatchObject({ kind: 'committed', parent: null });
    expect(await readText(await repository.head(), 'Home.md')).toBe('Hello.\n');
    expect(git(directory, ['show', 'main:Home.md'])).toBe('Hello.');
    git(directory, ['fsck', '--strict']);
  });

  test('shows native git who wrote what, when, with what agent and for what request', async () => {
    const apply = async () => ({ message: 'Say hello\n\nIn a body.', files: [text('Home.md', 'x')] });
    await commitOf([], { agent: 'claude-code/2.1', requestId: 'abc', digest: 'def', apply });
    expect(git(directory, ['log', '-1', '--format=%an <%ae> %at|%cn <%ce> %ct|%s|%b', 'main'])).toMatch(
      /^Ada Lovelace <ada@example.org> 1767225600\|Pagetree <pagetree@localhost> 1767225600\|Say hello\|In a body\.\n/,
    );
    expect(
      git(directory, ['log', '-1', '--format=%(trailers:only,unfold)', 'main']).trim().split('\n'),
    ).toEqual([
      'Agent: claude-code/2.1',
      'Request-Id: abc',
      'Request-Digest: def',
      expect.stringMatching(/^Nonce: \w+$/),
    ]);
    const head = (await repository.head()).commit ?? '';
    expect(await repository.commit(head)).toEqual({
      oid: head,
      parents: [],
      author: { name: 'Ada Lovelace', email: 'ada@example.org', date: new Date(now) },
      committed: new Date(now),
      message: 'Say hello\n\nIn a body.',
      agent: 'claude-code/2.1',
    });
  });

  test('dates no commit before its parent, so that history stays in order when a clock runs back', async () => {
    const first = await commitOf([text('a.md', '1')]);
    now -= 3_600_000;
    const second = await commitOf([text('a.md', '2')]);
    expect(git(directory, ['log', '--format=%H', 'main']).split('\n')).toEqual([second, first]);
    expect((await repository.commit(second)).committed).toEqual((await repository.commit(first)).committed);
  });

  test('answers a request that comes again as it did the first time', async () => {
    const change = changeOf([text('a.md', '1')]);
    const first = await repository.write(change);
    await commitOf([text('b.md', '2')]);
    expect(await repository.write(change)).toEqual({ ...first, kind: 'repeated' });
    await expect(repository.write({ ...change, digest: 'other' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  test('makes no commit of a change that changes nothing', async () => {
    const head = await commitOf([text('a.md', '1')]);
    expect(await repository.write(changeOf([text('a.md', '1')]))).toEqual({ kind: 'unchanged', head });
    expect(await repository.write(changeOf([]))).toEqual({ kind: 'unchanged', head });
    expect(await repository.write(changeOf([{ path: 'none.md', remove: true }]))).toEqual({
      kind: 'unchanged',
      head,
    });
  });

  test('passes on an error that the change itself throws', async () => {
    const refusal = new WikiError('no_match', { happened: 'No.', now: 'No.', next: 'No.' });
    const change = changeOf([], { apply: () => Promise.reject(refusal) });
    await expect(repository.write(change)).rejects.toBe(refusal);
    expect((await repository.head()).commit).toBeNull();
  });

  test('lands simultaneous changes, each on the newest commit', async () => {
    const append = (line: string) =>
      changeOf([], {
        apply: async (base: Snapshot) => {
          const before = base.commit === null ? '' : await readText(base, 'log.md');
          return { message: line, files: [text('log.md', `${before}${line}\n`)] };
        },
      });
    const other = await openTestRepository(directory, () => now);
    await Promise.all(
      ['a', 'b', 'c', 'd'].map((line, at) => (at % 2 ? other : repository).write(append(line))),
    );
    const log = await readText(await repository.head(), 'log.md');
    expect(log.trim().split('\n').sort()).toEqual(['a', 'b', 'c', 'd']);
    expect(git(directory, ['rev-list', '--count', 'main'])).toBe('4');
    git(directory, ['fsck', '--strict']);
  });

  test('reports the differences between two commits, and all files for the first commit', async () => {
    const first = await commitOf([text('a.md', '1'), text('b/c.md', '1')]);
    const second = await commitOf([text('a.md', '2'), { path: 'b/c.md', remove: true }, text('b/d.md', '1')]);
    const changes = await repository.changes(first, second);
    expect(changes.map(({ path, before, after }) => [path, before !== null, after !== null])).toEqual([
      ['a.md', true, true],
      ['b/c.md', true, false],
      ['b/d.md', false, true],
    ]);
    expect((await repository.changes(null, first)).map(({ path }) => path)).toEqual(['a.md', 'b/c.md']);
  });

  test('holds the same files as a plain map after any writes', async () => {
    const path = fc.constantFrom('a.md', 'b.md', 'x/a.md', 'x/y/a.md', 'x/y/b.md', 'Ü.md');
    const step = fc.array(fc.record({ path, content: fc.option(fc.string(), { nil: null }) }), {
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 4 }), async (steps) => {
        const start = await repository.head();
        const expected = new Map<string, string>();
        for (const file of await pathsOf(start)) expected.set(file, await readText(start, file));
        for (const files of steps) {
          const last = new Map(files.map((file) => [file.path, file.content]));
          await repository.write(
            changeOf(
              [...last].map(([name, content]) =>
                content === null ? { path: name, remove: true } : text(name, content),
              ),
            ),
          );
          for (const [name, content] of last) {
            if (content === null) expected.delete(name);
            else expected.set(name, Buffer.from(content).toString());
          }
        }
        const head = await repository.head();
        const found = new Map<string, string>();
        for (const file of await pathsOf(head)) found.set(file, await readText(head, file));
        expect(new Map([...found].sort())).toEqual(new Map([...expected].sort()));
      }),
      { numRuns: 25 },
    );
    git(directory, ['fsck', '--strict']);
  });
});
