import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { toWikiError } from '../../../../src/contract/errors.ts';
import type { OperationName } from '../../../../src/contract/operations.ts';
import { parseInput } from '../../../../src/contract/parse-input.ts';
import type { Scope } from '../../../../src/contract/scope.ts';
import { methodOf, type Wiki } from '../../../../src/contract/wiki.ts';
import { openWiki } from '../../../../src/open-wiki.ts';
import { git, gitBytes, temporaryDirectory } from '../../../native-git.ts';
import { filesOf } from '../../archives.ts';
import { commitFiles } from '../../local-backends.ts';
import type { Files } from '../../test-wiki.ts';
import { type Rebuilt, rebuild } from './model-repository.ts';

/** A call, as a caller of the whole wiki would make it: with the commits of the whole wiki. */
export interface Question {
  name: OperationName;
  input: Record<string, unknown>;
}

/** A wiki with files inside and outside of a scope. */
export interface ScopedWiki {
  scope: Scope;
  /** Native git in its repository, after all that was acknowledged became visible to it. */
  git(args: readonly string[], options?: { input?: string; env?: Record<string, string> }): Promise<string>;
  /** Calls an operation with the scope, or without a limit. */
  call(by: 'scope' | 'everybody', question: Question): Promise<unknown>;
  /** Asks with the scope, and asks the model of the wiki as it is now without one: the answers must be equal. */
  compare(questions: readonly Question[], last?: Question): Promise<number>;
  close(): Promise<void>;
}

export async function openScopedWiki(files: Files, scope: Scope): Promise<ScopedWiki> {
  const directory = temporaryDirectory();
  const repository = emptyWiki(directory, 'whole');
  commitFiles(repository, files);
  const opened = await openIn(join(directory, 'whole'));
  let models = 0;
  return {
    scope,
    async git(args, options) {
      await opened.settle();
      return gitBytes(repository, args, options).toString('utf8').replace(/\n$/, '');
    },
    call: (by, question) => call(opened.wiki, question, by === 'scope' ? scope : undefined),
    async compare(questions, last) {
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
        if (last === undefined) return compared.asked;
        await compared.ask(last);
        await Promise.all([opened.settle(), model.settle()]);
        expect(filesIn(repository, scope), JSON.stringify(last)).toEqual(filesIn(modelRepository, scope));
        return compared.asked;
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

async function call(wiki: Wiki, { name, input }: Question, scope: Scope | undefined): Promise<unknown> {
  const caller = { author: { name: 'Grace', email: 'grace@example.org' }, agent: 'test/1.0' };
  return methodOf(wiki, name)(parseInput(name, input), { caller, scope });
}

function filesIn(repository: string, { read }: Scope): string[] {
  const listed = git(repository, ['ls-tree', '-r', '-z', 'main']).split('\0');
  return listed.filter((line) =>
    read.some((folder) => (line.split('\t')[1] ?? '').normalize('NFC').startsWith(folder)),
  );
}

/** Asks the wiki with a scope and its model the same questions. */
class Comparison {
  asked = 0;
  readonly #whole: Wiki;
  readonly #scope: Scope;
  readonly #model: Wiki;
  readonly #rebuilt: Rebuilt;

  constructor(whole: Wiki, scope: Scope, model: Wiki, rebuilt: Rebuilt) {
    this.#whole = whole;
    this.#scope = scope;
    this.#model = model;
    this.#rebuilt = rebuilt;
  }

  /** Has both indexes catch up: until then a missing page is reported without what became of it. */
  async warm(): Promise<void> {
    const question: Question = { name: 'get_history', input: { limit: 1 } };
    await call(this.#whole, question, this.#scope);
    await call(this.#model, question, undefined);
  }

  async ask(question: Question): Promise<void> {
    const given = Object.entries(question.input).filter(([, value]) => value !== undefined);
    const asked = { ...question, input: Object.fromEntries(given) };
    const modelled = given.map(([key, value]) => [key, this.#modelled(value)]);
    // The commit is older than all that lies in the scope, so the model has none.
    if (modelled.some(([, value]) => value === null)) return;
    if (asked.name === 'revert_commit' && this.#rebuilt.reachingOut.has(String(asked.input.commit))) {
      // Not undone in part: the model, which knows nothing else of the commit, undoes it.
      await expect(call(this.#whole, asked, this.#scope)).rejects.toMatchObject({ code: 'forbidden' });
      return;
    }
    const expected = await everyPart(this.#model, {
      ...asked,
      input: Object.fromEntries(modelled),
    });
    const answered = await everyPart(this.#whole, asked, this.#scope);
    const shown = JSON.stringify(asked);
    expect(await this.#comparable(asked, answered), shown).toEqual(await this.#comparable(asked, expected));
    this.asked += 1;
  }

  /** The commits of the model in place of those of the wiki. */
  #modelled(value: unknown): unknown {
    const { models } = this.#rebuilt;
    if (typeof value !== 'string') return value;
    const whole = models.get(value);
    if (whole !== undefined) return whole;
    return value.replaceAll(/\b[0-9a-f]{40}\b/g, (oid) => models.get(oid) ?? oid);
  }

  /** Without what differs between the two by design. */
  async #comparable({ name }: Question, answer: unknown): Promise<unknown> {
    const { content } = answer as { content?: string };
    // A zip has the date of the commit, which may be one that changed nothing in the scope.
    const files = name === 'export_wiki' && content ? named(await filesOf(content)) : undefined;
    const blank = new Set(blankFieldsOf(name));
    return JSON.parse(JSON.stringify(answer), (key, value: unknown) => {
      if (files !== undefined && value === content) return files;
      if (blank.has(key)) return name === 'wiki_status' || value !== null ? key : null;
      // Pages elsewhere may link here, and the answer says that nobody looked. The model has no elsewhere.
      if (key === 'links_elsewhere') return undefined;
      // With a scope, a commit of what nobody may see is not looked at to find out in which folder that lies.
      if (key === 'entries') return (value as { commit: string }[]).filter((each) => !this.#isHidden(each));
      if (name === 'get_history' && this.#isMerge(value)) {
        // A merge is shown with all that it brought to its first parent, since its message is kept back.
        return { ...(value as object), pages: [], pages_total: 0 };
      }
      // Words are weighed in another order, and sums differ in their last digit.
      if (key === 'score') return Number((value as number).toPrecision(9));
      // A problem of the setup names the wiki's directory.
      const shown =
        typeof value === 'string' ? value.replaceAll(/\/(?:whole|model-\d+)\/test/g, '/test') : value;
      return this.#modelled(shown);
    });
  }

  #isHidden({ commit }: { commit: string }): boolean {
    return this.#rebuilt.hidden.has(commit);
  }

  #isMerge(value: unknown): value is { commit: string } {
    if (typeof value !== 'object' || value === null || !('commit' in value)) return false;
    return this.#rebuilt.merges.has(String(this.#modelled(value.commit)));
  }
}

const READS = /^(read|list|search|get|diff|blame|check|view|show)_/;

/** Fields that cannot be the same. */
function blankFieldsOf(name: OperationName): readonly string[] {
  // The zip of the same files, of another date, may be longer.
  if (name === 'export_wiki') return ['size'];
  // A clone would hold everything, and the status names the scope.
  if (name === 'wiki_status') return ['clone', 'scope'];
  // The commit that a write makes has another parent in the model.
  return READS.test(name) ? [] : ['commit'];
}

function named(files: Record<string, Buffer>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path, bytes.toString('base64')]));
}

/** The answer, or the error. A list is read to its end: its cursors name a commit, and are not comparable. */
async function everyPart(wiki: Wiki, question: Question, scope?: Scope): Promise<unknown> {
  const parts: Record<string, unknown>[] = [];
  let cursor: unknown;
  try {
    do {
      const input = cursor === undefined ? question.input : { ...question.input, cursor };
      const { next_cursor, ...part } = (await call(wiki, { ...question, input }, scope)) as {
        next_cursor?: string | null;
      };
      parts.push(part);
      cursor = next_cursor ?? undefined;
    } while (cursor !== undefined && parts.length < MAX_PARTS);
    const [first] = parts;
    if (first === undefined || !('entries' in first)) return parts.length === 1 ? first : parts;
    return { entries: parts.flatMap(({ entries }) => entries) };
  } catch (error) {
    const { code, text, data, cause } = toWikiError(error);
    if (code === 'internal') throw cause ?? error;
    return { code, text, data };
  }
}

const MAX_PARTS = 50;
