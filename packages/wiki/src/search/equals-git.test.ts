import { expect, test } from 'vitest';
import { sampled } from '../../../../labs/sample.ts';
import { bareRepository, temporaryDirectory } from '../../test/native-git.ts';
import { expectEqualToGit } from '../../test/search/equal-to-git.ts';
import { openTestIndexes } from '../../test/search/test-indexes.ts';
import { changeOf, openTestRepository, text } from '../../test/test-repository.ts';
import { scanIndex } from './scan-index.ts';

test('after any history the index answers as git alone does, caught up or rebuilt', () =>
  expectEqualToGit({ numRuns: sampled(12, 2) }));

test('a form of a word that only the description of a page has is found', async () => {
  const repository = await openTestRepository(bareRepository());
  // The text has no such word: its escape is read as YAML.
  const page = '---\ndescription: "\\u0068omes for all"\n---\nWhere people live.\n';
  await repository.write(changeOf([text('Living.md', page), text('Other.md', 'Something else.\n')]));
  const commit = (await repository.head()).commit ?? '';
  const index = (await openTestIndexes()).open({
    repository,
    snapshotDirectory: temporaryDirectory(),
    readOnly: true,
  });
  const query = {
    commit,
    query: 'home',
    mode: 'words' as const,
    prefix: '',
    contextLines: 0,
    offset: 0,
    limit: 5,
  };
  for (const each of [index, scanIndex(repository)]) {
    expect((await each.search(query)).rows.map(({ path }) => path)).toEqual(['Living']);
  }
});
