import { beforeEach, describe, expect, test } from 'vitest';
import { bareRepository, git } from '../../../test/native-git.ts';
import { commitFilesTo, openTestRepository, text } from '../../../test/test-repository.ts';
import type { FileWrite, Repository } from '../../core/ports.ts';

describe('a commit id', () => {
  let directory: string;
  let repository: Repository;

  beforeEach(async () => {
    directory = bareRepository();
    repository = await openTestRepository(directory);
  });

  const commitOf = (...files: FileWrite[]) => commitFilesTo(repository, ...files);

  test('resolves a commit by a prefix that no other commit has, whatever other objects have it', async () => {
    const commits: string[] = [];
    for (let at = 0; at < 20; at++) commits.push(await commitOf(text('a.md', `${at}`)));
    const commit = commits[7] ?? '';
    const prefixes = [commit, commit.slice(0, 12).toUpperCase(), commit.slice(0, 12)];
    for (const prefix of prefixes) expect(await repository.resolveCommit(prefix)).toBe(commit);
    const blob = git(directory, ['rev-parse', 'main:a.md']);
    for (const missing of ['0'.repeat(40), blob, blob.slice(0, 10)]) {
      await expect(repository.resolveCommit(missing)).rejects.toMatchObject({ code: 'not_found' });
    }
    for (const wrong of ['abc', 'not hex', '', `${commit}0`]) {
      await expect(repository.resolveCommit(wrong)).rejects.toMatchObject({ code: 'invalid_input' });
    }
  });

  test('names the candidates if a prefix is ambiguous', async () => {
    const record = (at: number) => `commit refs/tests/x\ncommitter A <a> ${at} +0000\ndata 0\n`;
    const input = `${Array.from({ length: 2_000 }, (_, at) => record(at)).join('\n')}\ndone\n`;
    git(directory, ['fast-import', '--quiet', '--done'], input);
    const commits = git(directory, ['rev-list', 'refs/tests/x']).split('\n');
    const byPrefix = Map.groupBy(commits, (commit) => commit.slice(0, 4));
    const [prefix, same] = [...byPrefix].find(([, list]) => list.length > 1) ?? ['', []];
    await expect(repository.resolveCommit(prefix)).rejects.toMatchObject({
      code: 'invalid_input',
      data: { commits: [...same].sort() },
    });
  });
});
