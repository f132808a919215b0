import { type OpenedWiki, openWiki } from '@pagetree/wiki';
import { type Timing, time, timingOf } from './measure.ts';
import type { Questions } from './questions.ts';

export const call = {
  caller: { author: { name: 'Benchmark', email: 'benchmark@example.org' }, agent: null },
};

/** Opens the only wiki in a directory. */
export function openBenchmarked(directory: string, workDirectory: string): Promise<OpenedWiki> {
  const host = { backend: 'local', versions: {}, problems: [] };
  return openWiki({ directory, wiki: null, placement: 'local', workDirectory, host });
}

/** Each question as an agent asks it, by the operations of the contract, on a warm index. */
export async function measureWiki(
  { wiki }: OpenedWiki,
  questions: Questions,
): Promise<Record<string, Timing>> {
  const pages = questions.pages.map((path) => path.replace(/\.md$/, ''));
  const search = (query: string) =>
    wiki.search_pages({ query, mode: 'words', context_lines: 0, limit: 10 }, call);
  const timed = <Input>(inputs: readonly Input[], operation: (input: Input) => Promise<unknown>) =>
    time(inputs, operation, rounds);
  return {
    history: await timed(pages, (path) => wiki.get_history({ path, limit: 20 }, call)),
    recent: await timed(pages, () => wiki.get_history({ limit: 50 }, call)),
    backlinks: await timed(pages, (path) => wiki.get_links({ path }, call)),
    list: await timed(pages, () => wiki.list_pages({ sort: 'path', limit: 50 }, call)),
    search_word: await timed(questions.words, search),
    search_two_words: await timed(questions.twoWords, search),
    search_three_words: await timed(questions.threeWords, search),
    search_phrase: await timed(questions.phrases, (phrase) => search(`"${phrase}"`)),
  };
}

/** Until the compiler has done its work: what a server does many times is what is measured. */
const rounds = 5;

/** The first query after each of `times` commits, which has to catch up, and the same when there is nothing to do. */
export async function measureCatchUp(
  { wiki }: OpenedWiki,
  pages: readonly string[],
): Promise<{ after_commit: Timing; without: Timing }> {
  const after: number[] = [];
  const without: number[] = [];
  for (const treePath of pages) {
    const path = treePath.replace(/\.md$/, '');
    await wiki.append_to_page({ path, content: 'One more line.', create: false }, call);
    for (const times of [after, without]) {
      const started = performance.now();
      await wiki.get_links({ path }, call);
      times.push(performance.now() - started);
    }
  }
  return { after_commit: timingOf(after), without: timingOf(without) };
}
