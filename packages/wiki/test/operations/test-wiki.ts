import { expect, onTestFinished } from 'vitest';
import { type ErrorCode, WikiError } from '../../src/contract/errors.ts';
import {
  type CallInput,
  type OperationName,
  type Output,
  operations,
} from '../../src/contract/operations.ts';
import { parseInput } from '../../src/contract/parse-input.ts';
import type { Call, Wiki } from '../../src/contract/wiki.ts';

/** The errors that the contract does not list for each operation. */
const OF_EVERY_OPERATION: readonly ErrorCode[] = [
  'not_found',
  'invalid_input',
  'forbidden',
  'busy',
  'backend_unavailable',
  'internal',
];

/** A way to reach a wiki; the suite of operations runs on each. */
export interface Backend {
  name: string;
  /** A wiki of its own for one test: a bare repository that native git made, with these files as its first commit. */
  open(files: Files): Promise<BackendWiki>;
}

/** By tree path. */
export type Files = Record<string, string | Uint8Array>;

export interface BackendWiki {
  wiki: Wiki;
  /** Native git in the wiki's repository. */
  git(args: readonly string[]): string;
  /** Makes what was acknowledged visible to native git. */
  settle(): Promise<void>;
}

/** A wiki under test. Its repository must be clean in the eyes of native git when the test ends. */
export class TestWiki {
  readonly wiki: Wiki;
  readonly #backend: BackendWiki;
  #call: Call;

  constructor(backend: BackendWiki) {
    this.wiki = backend.wiki;
    this.#backend = backend;
    this.#call = {
      caller: { author: { name: 'Ada Lovelace', email: 'ada@example.org' }, agent: 'test/1.0' },
    };
  }

  /** Calls an operation as a client does: defaults are filled in, and the answer must be what the contract says. */
  async run<Name extends OperationName>(name: Name, input: CallInput<Name>): Promise<Output<Name>> {
    const method = this.wiki[name] as (input: unknown, call: Call) => Promise<unknown>;
    const output = await method(parseInput(name, input), this.#call).catch((error: unknown) => {
      if (error instanceof WikiError)
        expect([...OF_EVERY_OPERATION, ...operations[name].errors]).toContain(error.code);
      throw error;
    });
    expect(operations[name].output.strict().parse(output)).toEqual(output);
    return output as Output<Name>;
  }

  /** The error of a call that must fail; its text says three things. */
  async refused<Name extends OperationName>(name: Name, input: unknown): Promise<WikiError> {
    try {
      await this.run(name, input as CallInput<Name>);
    } catch (error) {
      if (!(error instanceof WikiError)) throw error;
      for (const said of Object.values(error.text)) expect(said).toMatch(/\S/);
      return error;
    }
    throw new Error(`${name} was not refused`);
  }

  /** Makes the following calls in this person's name. */
  as(author: string, agent: string | null): this {
    this.#call = { caller: { author: { name: author, email: `${author}@example.org` }, agent } };
    return this;
  }

  async write(path: string, content: string): Promise<Output<'write_page'>> {
    return this.run('write_page', { path, content });
  }

  async content(path: string): Promise<string> {
    return (await this.run('read_page', { path })).content;
  }

  async paths(): Promise<string[]> {
    return (await this.run('list_pages', {})).pages.map((page) => page.path);
  }

  async head(): Promise<string | null> {
    return (await this.run('wiki_status', {})).head;
  }

  async git(...args: string[]): Promise<string> {
    await this.#backend.settle();
    return this.#backend.git(args);
  }
}

export async function openTestWiki(backend: Backend, files: Files = {}): Promise<TestWiki> {
  const opened = await backend.open(files);
  const wiki = new TestWiki(opened);
  onTestFinished(async () => {
    await opened.settle();
    expect(opened.git(['fsck', '--strict', '--no-dangling'])).toBe('');
  });
  return wiki;
}
