import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { OperationName } from '../../../../src/contract/operations.ts';
import type { Scope } from '../../../../src/contract/scope.ts';
import { openWiki } from '../../../../src/open-wiki.ts';
import { git, gitBytes, temporaryDirectory } from '../../../native-git.ts';
import { commitFiles } from '../../local-backends.ts';
import type { Files } from '../../test-wiki.ts';
import { Comparison, call, type Question } from './comparison.ts';
import { liesIn } from './lies-in.ts';
import { rebuild } from './model-repository.ts';
import { type NativeGit, type State, stateOf } from './wiki-state.ts';

/** A write into the wiki as it is then; null if there is nothing to change. */
type Write = (state: State) => Question | null;

/** A wiki with files inside and outside of a scope. */
export interface ScopedWiki extends NativeGit {
  scope: Scope;
  /** Calls an operation with the scope, or without a limit. */
  call(by: 'scope' | 'everybody', question: Question): Promise<unknown>;
  /**
   * Asks with the scope, and asks the model of the wiki as it is now without one: the answers must be equal. Then has
   * both make the same writes, one after another, which must leave the same files. At last has both make a move, which must
   * leave the same pages and links, but not the same files. Returns the operations of the answers that were compared.
   */
  compare(questions: readonly Question[], writes?: readonly Write[], move?: Write): Promise<OperationName[]>;
  close(): Promise<void>;
}

export async function openScopedWiki(files: Files, scope: Scope): Promise<ScopedWiki> {
  const directory = temporaryDirectory();
  const repository = emptyWiki(directory, 'whole');
  commitFiles(repository, files);
  const opened = await openIn(join(directory, 'whole'));
  let models = 0;
  const wiki: ScopedWiki = {
    scope,
    /** After all that was acknowledged became visible to native git. */
    async git(args, options) {
      await opened.settle();
      return gitBytes(repository, args, options).toString('utf8').replace(/\n$/, '');
    },
    call: (by, question) => call(opened.wiki, question, by === 'scope' ? scope : undefined),
    async compare(questions, writes = [], move = () => null) {
      await opened.settle();
      models += 1;
      const name = `model-${models}`;
      const modelRepository = emptyWiki(directory, name);
      const rebuilt = rebuild(repository, modelRepository, scope.read);
      const model = await openIn(join(directory, name));
      try {
        const compared = new Comparison(opened.wiki, scope, model.wiki, rebuilt);
        await compared.warm();
        for (const question of questions) await compared.ask(question);
        for (const write of writes) {
          const question = write(await stateOf(wiki));
          if (question === null) continue;
          await compared.ask(question);
          await Promise.all([opened.settle(), model.settle()]);
          expect(filesIn(repository, scope), JSON.stringify(question)).toEqual(
            filesIn(modelRepository, scope),
          );
        }
        const moved = move(await stateOf(wiki));
        if (moved !== null) await compared.move(moved);
        return compared.compared;
      } finally {
        await model.close();
        rmSync(join(directory, name), { recursive: true });
      }
    },
    async close() {
      await opened.close();
      expect(git(repository, ['fsck', '--strict', '--no-dangling'])).toBe('');
      rmSync(directory, { recursive: true });
    },
  };
  return wiki;
}

function emptyWiki(directory: string, name: string): string {
  mkdirSync(join(directory, name));
  const repository = join(directory, name, 'test.git');
  git(directory, ['init', '--quiet', '--bare', '--initial-branch=main', repository]);
  return repository;
}

function openIn(directory: string) {
  const host = { backend: 'local', versions: {}, problems: [] };
  return openWiki({ directory, wiki: 'test', placement: 'local', host });
}

function filesIn(repository: string, { read }: Scope): string[] {
  const isEmpty = git(repository, ['for-each-ref', 'refs/heads/main']) === '';
  const listed = isEmpty ? [] : git(repository, ['ls-tree', '-r', '-z', 'main']).split('\0');
  return listed.filter((line) => liesIn(read, line.split('\t')[1] ?? ''));
}
