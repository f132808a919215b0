import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ObjectHeap } from '../../../../wiki/test/git-input/bundles.ts';
import { type Attack, callTool, type Targets } from '../attack.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
const inLines = (lines: readonly (string | number)[]) => `${lines.join('\n')}\n`;

/** Gathers a history of one page, in which each commit is a second younger than the one before it. */
class PageHistory {
  readonly heap = new ObjectHeap();
  #seconds = 1_700_000_000;

  commit(content: string, parents: readonly string[] = []): string {
    this.#seconds += 1;
    const tree = this.heap.tree([['100644', 'Home.md', this.heap.add('blob', content)]]);
    return this.heap.commit(tree, parents, {
      who: `A. Writer <writer@example.org> ${this.#seconds} +0000`,
      message: `change ${this.#seconds}\n`,
    });
  }

  line(contents: Iterable<string>): Buffer {
    let tip: string[] = [];
    for (const content of contents) tip = [this.commit(content, tip)];
    return this.heap.bundle(tip[0] ?? '');
  }
}

function* versions(count: number, of: (version: number) => string): Iterable<string> {
  for (let version = 0; version < count; version += 1) yield of(version);
}

/** Each is the history of one page, made so that it is slow to look through. */
const HISTORIES: Record<string, () => Buffer> = {
  'of 6,600 commits': () => new PageHistory().line(versions(6_600, (version) => `page ${version}\n`)),
  'of 1,500 versions of 5,000 lines, one of which changes': () =>
    new PageHistory().line(
      versions(1_500, (version) =>
        inLines(numbers(5_000).map((at) => (at === (version * 7) % 5_000 ? `v${version}` : at))),
      ),
    ),
  'of 600 versions of which no line is as it was': () =>
    new PageHistory().line(
      versions(600, (version) => inLines(numbers(5_000).map((at) => `${version} ${at}`))),
    ),
  'of 1,000 merges': () => {
    const history = new PageHistory();
    const lines = numbers(2_000).map(String);
    let tip = history.commit(inLines(lines));
    for (const at of numbers(1_000)) {
      const side = history.commit(inLines(lines.with(at, `side ${at}`)), [tip]);
      lines[1_999 - at] = `main ${at}`;
      const main = history.commit(inLines(lines), [tip]);
      lines[at] = `side ${at}`;
      tip = history.commit(inLines(lines), [main, side]);
    }
    return history.heap.bundle(tip);
  },
  'of a merge of 1,000 parents': () => {
    const history = new PageHistory();
    const lines = '\n'.repeat(35_000);
    const parents = numbers(1_000).map((at) => history.commit(`${at}${lines}${at}\n`));
    return history.heap.bundle(history.commit(`all${lines}all\n`, parents));
  },
  'of 150 versions of one line of a megabyte': () =>
    new PageHistory().line(versions(150, (version) => `${'x'.repeat(1_000_000)}${version}`)),
  'of 500 versions that end with and without a line feed': () =>
    new PageHistory().line(versions(500, (at) => `${'a line\n'.repeat(20_000)}last${at % 2 ? '\n' : ''}`)),
};

interface Looked {
  wiki: string;
  first: string;
}

/** By the name of the history; it is imported by the first row about it. */
const looked = new Map<string, Looked>();

function importOf(name: string, make: () => Buffer): Attack {
  return {
    name: `a page ${name}: import`,
    on: 'whole',
    answers: ['ok'],
    async act({ whole, files }, round) {
      const wiki = `history-${round}`;
      await writeFile(join(files, `${round}.bundle`), make());
      const imported = await callTool(whole, 'import_wiki', { wiki, local_path: `${round}.bundle` });
      if (imported.code !== 'ok') return imported;
      const last = await callTool(whole, 'get_history', { wiki, path: 'Home', limit: 100 });
      const [newest] = last.content.entries as { commit: string }[];
      looked.set(name, { wiki, first: newest?.commit ?? '' });
      return last;
    },
  };
}

/** What is asked about such a page. */
const QUESTIONS: Record<string, [tool: string, args: (looked: Looked) => object, answers?: string[]]> = {
  blame: ['blame_page', () => ({ path: 'Home' })],
  'history of nobody since and until': [
    'get_history',
    () => ({ since: '2023-11-14', until: '2023-11-15', author: 'nobody' }),
  ],
  diff: ['diff_page', ({ first }) => ({ path: 'Home', from: first })],
  'the revert of a commit': [
    'revert_commit',
    ({ first }) => ({ commit: first }),
    ['ok', 'version_conflict', 'invalid_input', 'conflict', 'merge_conflict'],
  ],
};

function questionAbout(name: string, question: string): Attack {
  const [tool, args, answers = ['ok']] = QUESTIONS[question] ?? ['', () => ({})];
  return {
    name: `a page ${name}: ${question}`,
    on: 'whole',
    answers,
    async act({ whole }: Targets) {
      const about = looked.get(name);
      if (about === undefined) throw new Error('It was not imported.');
      return callTool(whole, tool, { wiki: about.wiki, ...args(about) });
    },
  };
}

export const historyAttacks: Attack[] = Object.entries(HISTORIES).flatMap(([name, make]) => [
  importOf(name, make),
  ...Object.keys(QUESTIONS).map((question) => questionAbout(name, question)),
]);
