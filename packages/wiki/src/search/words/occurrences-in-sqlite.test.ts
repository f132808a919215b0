import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bareRepository, temporaryDirectory } from '../../../test/native-git.ts';
import { openTestIndexes } from '../../../test/search/test-indexes.ts';
import { changeOf, openTestRepository, text } from '../../../test/test-repository.ts';
import { scanIndex } from '../scan-index.ts';

test('a word with more places than are read one by one is counted in each column', async () => {
  const repository = await openTestRepository(bareRepository());
  const files = Array.from({ length: 30 }, (_, at) => {
    const heading = at % 3 === 0 ? 'A template' : 'Another page';
    const title = at % 7 === 0 ? 'Template of all' : `Page ${at}`;
    const lead = at % 5 === 0 ? 'The template is what this page is about.\n' : '';
    return text(`Page ${at}.md`, `# ${title}\n${lead}## ${heading}\n${'template '.repeat(800 + at)}\n`);
  });
  await repository.write(changeOf([...files, text('templates/template.md', '# Short\nNothing.\n')]));
  const { commit } = await repository.head();
  if (commit === null) throw new Error('A wiki that was written to has a head.');
  const indexes = await openTestIndexes();
  const snapshotDirectory = join(temporaryDirectory(), 'snapshots');
  const index = indexes.open({ repository, snapshotDirectory, readOnly: false });
  for (const filter of [{ prefix: '' }, { prefix: 'Page 1' }, { prefix: '', folders: ['templates/'] }]) {
    const query = {
      commit,
      query: 'the template',
      mode: 'words' as const,
      contextLines: 0,
      offset: 0,
      limit: 40,
    };
    const scores = async (each: typeof index) =>
      (await each.search({ ...query, ...filter })).rows.map(({ path, score }) => [path, score]);
    expect(await scores(index)).toEqual(await scores({ ...scanIndex(repository), close: async () => {} }));
  }
});
