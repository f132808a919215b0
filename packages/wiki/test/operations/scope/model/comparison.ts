import { expect } from 'vitest';
import { type ErrorCode, toWikiError } from '../../../../src/contract/errors.ts';
import type { OperationName, Output } from '../../../../src/contract/operations.ts';
import { parseInput } from '../../../../src/contract/parse-input.ts';
import type { Scope } from '../../../../src/contract/scope.ts';
import { methodOf, type Wiki } from '../../../../src/contract/wiki.ts';
import { comparable } from './comparable.ts';
import { liesIn } from './lies-in.ts';
import type { Rebuilt } from './model-repository.ts';

/** A call, as a caller of the whole wiki would make it: with the commits of the whole wiki. */
export interface Question {
  name: OperationName;
  input: Record<string, unknown>;
}

/** Asks the wiki with a scope and its model the same questions. */
export class Comparison {
  /** The operation of each answer that was compared, besides errors. */
  readonly compared: OperationName[] = [];
  readonly #whole: Wiki;
  readonly #scope: Scope;
  readonly #model: Wiki;
  readonly #rebuilt: Rebuilt;
  readonly #sameAt: number;

  constructor(whole: Wiki, scope: Scope, model: Wiki, rebuilt: Rebuilt) {
    this.#whole = whole;
    this.#scope = scope;
    this.#model = model;
    this.#rebuilt = rebuilt;
    // Commits have whole seconds.
    this.#sameAt = Math.floor(Date.now() / 1_000) * 1_000;
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
    const shown = JSON.stringify(asked);
    const refusal = this.#refusalOf(asked);
    if (refusal !== null) {
      await this.#requireRefusal(asked, refusal);
      return;
    }
    const modelled = given.map(([key, value]) => [key, this.#modelled(value)]);
    // The commit is older than all that lies in the scope, so the model has none.
    if (modelled.some(([, value]) => value === null)) return;
    // The commit changed nothing, so the model has only the one before it.
    if (asked.name === 'revert_commit' && !this.#rebuilt.own.has(`${asked.input.commit}`)) return;
    if (await this.#isLeftAlone(asked)) return;
    const unreadable = await this.#unreadableVersion(asked);
    const input = withUnknown(Object.fromEntries(modelled), unreadable);
    const expected = await everyPart(this.#model, { ...asked, input });
    const answered = withUnknown(await everyPart(this.#whole, asked, this.#scope), unreadable);
    const context = { ...asked, scope: this.#scope, rebuilt: this.#rebuilt, sameAt: this.#sameAt };
    const modelledOid = (value: unknown) => this.#modelled(value);
    expect(await comparable(context, answered, modelledOid), shown).toEqual(
      await comparable(context, expected, modelledOid),
    );
    this.#requireTruth(answered, shown);
    this.#learnCommit(answered, expected);
    if (!isError(answered)) this.compared.push(question.name);
  }

  /**
   * Has both make a move. With a scope it leaves attachments where they are, and writes links in full, since pages
   * elsewhere may use the ones and have the names of the others. So what is compared is the pages and the links among them.
   */
  async move(question: Question): Promise<void> {
    const shown = JSON.stringify(question);
    const expected = await everyPart(this.#model, question);
    const answered = await everyPart(this.#whole, question, this.#scope);
    expect(placesOf(answered), shown).toEqual(placesOf(expected));
    const graph: Question = { name: 'view_graph', input: {} };
    const drawn = [await everyPart(this.#whole, graph, this.#scope), await everyPart(this.#model, graph)];
    const [links, expectedLinks] = drawn.map((each) => (each as { graph: unknown }).graph);
    expect(links, shown).toEqual(expectedLinks);
    if (!isError(answered)) this.compared.push(question.name);
  }

  /** The code with which only the wiki with the scope answers; null if it answers as the model does. */
  #refusalOf({ name, input }: Question): ErrorCode | null {
    const { own, reachingOut } = this.#rebuilt;
    const isForeign = (commit: unknown) => /^[0-9a-f]{40}$/.test(`${commit}`) && !own.has(`${commit}`);
    // Not undone in part: the model, which knows nothing else of the commit, undoes it.
    if (name === 'revert_commit' && reachingOut.has(`${input.commit}`)) {
      return isForeign(input.commit) ? 'not_found' : 'forbidden';
    }
    if (!ABOUT_COMMITS.has(name)) return null;
    // Other questions about a commit that changed nothing here are answered as of the one before it.
    if (isForeign(input.commit)) return 'not_found';
    // Where there is nothing, nothing changed since.
    if (own.size === 0 && name === 'show_changes') return null;
    if (isForeign(input.since)) return name === 'undo_changes' ? 'invalid_input' : 'not_found';
    return null;
  }

  /** An undo does not take away what a commit brought here that changed something elsewhere: scope-undo.test.ts. */
  async #isLeftAlone(asked: Question): Promise<boolean> {
    if (asked.name !== 'undo_changes') return false;
    const input = { ...asked.input, dry_run: true };
    const planned = await everyPart(this.#whole, { ...asked, input }, this.#scope);
    const { commits = [] } = planned as { commits?: { commit: string }[] };
    return commits.some(({ commit }) => this.#rebuilt.maybeMovedIn.has(commit));
  }

  /**
   * A past version that is not one of the page, by the history of the model. With a scope it is as if there were none;
   * the model, which has nothing to hide, answers it.
   */
  async #unreadableVersion({ name, input }: Question): Promise<string | null> {
    const { path = '', version } = versionIn(name, input);
    if (version === undefined) return null;
    const file = path.normalize('NFC');
    const listed = await everyPart(this.#model, { name: 'list_files', input: {} });
    const { files } = listed as { files: { path: string; version: string }[] };
    const present = files.find((each) => each.path.normalize('NFC') === file);
    if (present?.version === version) return null;
    if (present === undefined || !file.endsWith('.md')) return version;
    const question: Question = { name: 'get_history', input: { path: file.slice(0, -'.md'.length) } };
    const history = await everyPart(this.#model, question);
    const { entries = [] } = history as { entries?: { version: string | null }[] };
    return entries.some((entry) => entry.version === version) ? null : version;
  }

  /** An error names no file that lies elsewhere. */
  async #requireRefusal(asked: Question, code: ErrorCode): Promise<void> {
    const answer = call(this.#whole, asked, this.#scope);
    const error = await answer.then(() => null, toWikiError);
    expect(error?.code, JSON.stringify(asked)).toBe(code);
    const said = JSON.stringify([error?.text, error?.data]);
    const listed = await everyPart(this.#whole, { name: 'list_files', input: {} });
    const { files } = listed as { files: { path: string }[] };
    const elsewhere = files.filter(({ path }) => !liesIn(this.#scope.read, path));
    expect(elsewhere.filter(({ path }) => said.includes(path))).toEqual([]);
  }

  /** What the model cannot know: whether commits changed something elsewhere as well. */
  #requireTruth(answered: unknown, shown: string): void {
    const { reachingOut } = this.#rebuilt;
    const said = answered as { leaves_out_files?: boolean; commit?: string; commits?: { commit: string }[] };
    if (said.leaves_out_files === undefined) return;
    const commits = said.commits?.map(({ commit }) => commit) ?? [`${said.commit}`];
    expect(said.leaves_out_files, shown).toBe(commits.some((commit) => reachingOut.has(commit)));
  }

  /** After a write, both have a commit that the other one does not know. */
  #learnCommit(answered: unknown, expected: unknown): void {
    const { commit } = answered as { commit?: unknown };
    const { commit: model } = expected as { commit?: unknown };
    const { models, own } = this.#rebuilt;
    if (typeof commit !== 'string' || typeof model !== 'string' || models.has(commit)) return;
    models.set(commit, model);
    own.add(commit);
  }

  /** The commits of the model in place of those of the wiki. */
  #modelled(value: unknown): unknown {
    const { models } = this.#rebuilt;
    if (typeof value !== 'string') return value;
    const whole = models.get(value);
    if (whole !== undefined) return whole;
    return value
      .replaceAll(/\b[0-9a-f]{40}\b/g, (oid) => models.get(oid) ?? oid)
      .replaceAll(SHORT, (short) => {
        const found = [...models.keys()].find((oid) => oid.startsWith(short));
        return (found && models.get(found)?.slice(0, short.length)) ?? short;
      });
  }
}

/** A commit as the messages of a restore and of an undo name it. */
const SHORT = /\b[0-9a-f]{10,12}\b/g;

function placesOf(answer: unknown): unknown {
  const { path, previous_path, changed, code } = answer as Partial<Output<'move_page'>> & { code?: string };
  return { path, previous_path, changed, code };
}

function isError(answered: unknown): boolean {
  return ['code', 'text', 'data'].every((field) => field in (answered as object));
}

/** Operations that a commit which changed nothing here is not there for. */
const ABOUT_COMMITS = new Set<OperationName>(['view_commit', 'show_changes', 'undo_changes']);

export async function call(
  wiki: Wiki,
  { name, input }: Question,
  scope: Scope | undefined,
): Promise<unknown> {
  const caller = { author: { name: 'Grace', email: 'grace@example.org' }, agent: 'test/1.0' };
  return methodOf(wiki, name)(parseInput(name, input), { caller, scope });
}

function versionIn(name: OperationName, input: Record<string, unknown>): { path?: string; version?: string } {
  const { path, base, files } = input as {
    path?: string;
    base?: string;
    files?: [{ path: string; version: string }];
  };
  if (name === 'read_files') return files?.[0] ?? {};
  return name === 'preview_page' && path !== undefined && base !== undefined
    ? { path: `${path}.md`, version: base }
    : {};
}

/** The value with an id that nobody has in the place of the version. */
function withUnknown<Value>(value: Value, version: string | null): Value {
  return version === null ? value : JSON.parse(JSON.stringify(value).replaceAll(version, UNKNOWN));
}

const UNKNOWN = '0123456789'.repeat(4);

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
