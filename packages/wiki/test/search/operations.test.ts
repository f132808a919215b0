import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { sampled } from '../../../../labs/sample.ts';
import { WikiError } from '../../src/contract/errors.ts';
import type { OperationName } from '../../src/contract/operations.ts';
import { parseInput } from '../../src/contract/parse-input.ts';
import type { Call } from '../../src/contract/wiki.ts';
import { openWiki } from '../../src/open-wiki.ts';
import { openIndexes } from '../../src/search/open-indexes.ts';
import { scanIndex } from '../../src/search/scan-index.ts';
import { temporaryDirectory } from '../native-git.ts';
import { zipOf } from '../operations/archives.ts';
import { openTestRepository } from '../test-repository.ts';
import { expectSameAnswers } from './same-answers.ts';

const paths = ['Home', 'a/Home', 'a/Note', 'note', 'C# Guide', 'Über', 'Never'];
const files = ['img.png', 'a/img.png', 'a/b#c.png'];
const texts = [
  '# Getting started\n\nTemplates and [[Note]] ![[img.png]] #guide\n\n## Part\n\nhome\n',
  '---\naliases: [Start]\ntags: guide/setup\n---\n[up](../Home.md) [[Start]] ![x](img.png) [[C# Guide]]\n',
  'a quick brown fox and the template [[a/Home]]\n',
];

type Step = [name: OperationName, input: Record<string, unknown>];
const path = fc.constantFrom(...paths);
const content = fc.constantFrom(...texts);
const change = fc.oneof(
  fc.record({ op: fc.constant('append'), path, content }),
  fc.record({ op: fc.constant('write'), path, content }),
  fc.record({ op: fc.constant('move'), path, new_path: path }),
);

function step(name: OperationName, input: fc.Arbitrary<Record<string, unknown>>): fc.Arbitrary<Step> {
  return input.map((given): Step => [name, given]);
}

const steps = fc.array(
  fc.oneof(
    step('append_to_page', fc.record({ path, content })),
    step('move_page', fc.record({ path, new_path: path })),
    step(
      'edit_section',
      fc.record({
        path,
        heading: fc.constantFrom('Part', 'Getting started'),
        operation: fc.constantFrom('append', 'replace', 'insert_before'),
        content,
        include_subsections: fc.boolean(),
      }),
    ),
    step(
      'update_frontmatter',
      fc.record({
        path,
        set: fc.record({
          aliases: fc.constantFrom('Start', ['N', 'TCP/IP']),
          tags: fc.constantFrom('guide', []),
        }),
      }),
    ),
    step(
      'commit_changes',
      fc.record({ message: fc.constant('Batch'), changes: fc.array(change, { minLength: 1, maxLength: 5 }) }),
    ),
    step(
      'put_attachment',
      fc.record({ path: fc.constantFrom(...files), content: fc.constantFrom('AAEC', 'AAED') }),
    ),
    step('revert_commit', fc.record({ commit: fc.nat(20) })),
  ),
  { minLength: 4, maxLength: 14 },
);

test('after any operation the index answers as git alone does', async () => {
  const call: Call = { caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: null } };
  const host = { backend: 'local', versions: {}, problems: [] };
  const begin = await zipOf({ 'a/Note.md': texts[0] ?? '', 'Home.md': texts[1] ?? '', 'a/img.png': 'x' });
  let done = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const directory = temporaryDirectory();
      const { wiki, close } = await openWiki({ directory, wiki: 'other', placement: 'local', host });
      onTestFinished(close);
      const run = ([name, input]: Step): Promise<unknown> =>
        (wiki[name] as (input: unknown, call: Call) => Promise<unknown>)(
          parseInput(name, { ...input, wiki: 'test' }),
          call,
        );
      await run(['import_wiki', { content: begin }]);
      const repository = await openTestRepository(join(directory, 'test.git'));
      const indexes = await openIndexes({
        workDirectory: directory,
        mostBytes: 100_000_000,
        randomName: () => 'index',
        now: Date.now,
      });
      onTestFinished(() => indexes.close());
      const index = indexes.open({
        repository,
        snapshotDirectory: join(directory, 'snapshots'),
        readOnly: false,
      });
      for (const [name, input] of taken) {
        const { entries } = await wiki.get_history({ wiki: 'test', limit: 50 }, call);
        const commit = entries[Number(input.commit) % entries.length]?.commit;
        try {
          await run([name, 'commit' in input ? { commit } : input]);
          done += 1;
        } catch (error) {
          // Many steps have nothing to work on; an answer of ours says so.
          if (!(error instanceof WikiError) || error.code === 'internal') throw error;
        }
        const head = (await repository.head()).commit;
        if (head !== null) await index.catchUp(head);
      }
      const head = (await repository.head()).commit ?? '';
      await expectSameAnswers(index, scanIndex(repository), head, paths);
      const judge = scanIndex(repository);
      for (const file of files) expect(await index.links(head, file)).toEqual(await judge.links(head, file));
    }),
    { numRuns: sampled(12, 4) },
  );
  expect(done).toBeGreaterThan(sampled(20, 5));
});
