import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, onTestFinished } from 'vitest';
import { sampled } from '../../../../labs/sample.ts';
import type { Oid } from '../../src/contract/ids.ts';
import type { OpenIndex } from '../../src/core/index-port.ts';
import type { Repository } from '../../src/core/ports.ts';
import { createWiki } from '../../src/core/wiki.ts';
import { git, temporaryDirectory } from '../native-git.ts';
import { openTestIndexes } from '../search/test-indexes.ts';
import { openDirectory } from '../wiki-directory.ts';
import { commitFiles } from './local-backends.ts';
import { changesSuite } from './suites/changes.suite.ts';
import { checkingSuite } from './suites/checking.suite.ts';
import { findingSuite } from './suites/finding.suite.ts';
import { historySuite } from './suites/history.suite.ts';
import { linkChecksSuite } from './suites/link-checks.suite.ts';
import { openConflictsSuite } from './suites/open-conflicts.suite.ts';
import { takingBackSuite } from './suites/taking-back.suite.ts';
import { undoingSuite } from './suites/undoing.suite.ts';
import { viewingSuite } from './suites/viewing.suite.ts';
import type { Backend } from './test-wiki.ts';

/**
 * A wiki in this process whose index never rests: whenever it has answered, another caller has it turned back to the
 * first commit, and the next question comes in the middle of that.
 */
const busy: Backend = {
  name: 'beside questions about the past',
  async open(files) {
    const directory = temporaryDirectory();
    const gitDirectory = join(directory, 'test.git');
    git(directory, ['init', '--quiet', '--bare', '--initial-branch=main', gitDirectory]);
    commitFiles(gitDirectory, files);
    const indexes = await openTestIndexes();
    const snapshotDirectory = join(directory, 'snapshots');
    const wikis = openDirectory(directory, {
      openIndex: (repository) =>
        neverResting(repository, (held) =>
          indexes.open({ repository: held, snapshotDirectory, readOnly: false }),
        ),
    });
    let requests = 0;
    const wiki = createWiki({
      directory: wikis,
      defaultWiki: await wikis.chooseDefault('test'),
      newRequestId: () => `request-${requests++}`,
      now: Date.now,
      host: { backend: 'local', versions: {}, problems: [], wikis: wikis.names },
    });
    // Before the files are closed, which the running turn reads.
    onTestFinished(() => indexes.close());
    return { wiki, git: (words) => git(gitDirectory, words), settle: wikis.settle };
  },
};

// What the index knows of moves, deletions and conflicts is never left out because another caller was faster.
describe(busy.name, () => {
  const suites = [undoingSuite, openConflictsSuite, viewingSuite];
  const more = [historySuite, findingSuite, takingBackSuite, changesSuite, checkingSuite, linkChecksSuite];
  for (const suite of sampled([...suites, ...more], suites)) suite(busy);
});

function neverResting(repository: Repository, open: (held: Repository) => OpenIndex): OpenIndex {
  let first: Oid | null = null;
  let turning: PromiseWithResolvers<void> | null = null;
  const index = open({
    ...repository,
    at: async (commit) => {
      if (turning !== null && commit === first) {
        turning.resolve();
        turning = null;
        await setTimeout(TURN_MS);
      }
      return repository.at(commit);
    },
  });

  /** Resolves in the middle of a turn to the first commit; at once if the index stands there. */
  async function disturb(): Promise<void> {
    first ??= await firstCommit(repository);
    if (first === null || turning !== null) return;
    turning = Promise.withResolvers<void>();
    const { promise } = turning;
    const question = index.list({ commit: first, prefix: '', sort: 'path', offset: 0, limit: 1 });
    const isOver = () => {
      turning = null;
    };
    await Promise.race([promise, question.then(isOver, isOver)]);
  }

  const disturbed = Object.entries(index).map(([name, answer]) => {
    if (typeof answer !== 'function' || name === 'close') return [name, answer];
    const ask = async (...asked: unknown[]) => {
      const answered = await answer(...asked);
      await disturb();
      return answered;
    };
    return [name, ask];
  });
  return Object.fromEntries(disturbed);
}

async function firstCommit(repository: Repository): Promise<Oid | null> {
  const head = (await repository.head()).commit;
  let oldest: Oid | null = null;
  if (head !== null) for await (const { oid } of repository.log(head)) oldest = oid;
  return oldest;
}

/** A question that does not wait comes before the end of the turn. */
const TURN_MS = 15;
