import { spawn } from 'node:child_process';
import { type Timing, time } from './measure.ts';
import type { Questions } from './questions.ts';

/**
 * Native git on the bare repository, as a person would ask it: at most `fewer` questions of a kind, since each takes
 * a process that reads much of the wiki.
 */
export async function measureGit(
  repository: string,
  questions: Questions,
  fewer: number,
): Promise<Record<string, Timing>> {
  const git = (...args: string[]) => run(['git', '-C', repository, ...args]);
  const few = questions.pages.slice(0, fewer);
  const linkTo = (path: string) => `[[${path.replace(/\.md$/, '')}`;
  return {
    history: await time(few, (path) => git('log', '--follow', '-20', `--format=${format}`, '--', path)),
    recent: await time(few, () => git('log', '-50', '--name-status', `--format=${format}`)),
    backlinks: await time(few, (path) => git('grep', '-nF', '-e', linkTo(path), 'HEAD', '--', '*.md')),
    list: await time(few, () => git('ls-tree', '-r', '--name-only', 'HEAD')),
    search_word: await time(questions.words.slice(0, fewer), (words) => git(...grepAll(words))),
    search_two_words: await time(questions.twoWords.slice(0, fewer), (words) => git(...grepAll(words))),
    search_three_words: await time(questions.threeWords.slice(0, fewer), (words) => git(...grepAll(words))),
    search_phrase: await time(questions.phrases.slice(0, fewer), (phrase) =>
      git('grep', '-liF', '-e', phrase, 'HEAD', '--', '*.md'),
    ),
  };
}

/** ripgrep on a checkout of the same commit; several words by feeding what has the first to the search for the next. */
export async function measureRipgrep(
  checkout: string,
  questions: Questions,
  fewer: number,
): Promise<Record<string, Timing>> {
  const few = (words: readonly string[]) => words.slice(0, fewer);
  const all = (words: string) => run(['sh', '-c', ripgrepAll(words)], checkout);
  return {
    search_word: await time(few(questions.words), all),
    search_two_words: await time(few(questions.twoWords), all),
    search_three_words: await time(few(questions.threeWords), all),
    search_phrase: await time(few(questions.phrases), (phrase) => run(['rg', '-liF', phrase, '.'], checkout)),
  };
}

const format = '%H%n%an <%ae>%n%ad%n%B';

function grepAll(words: string): string[] {
  const patterns = words.split(' ').flatMap((word) => ['-e', word]);
  return ['grep', '-liwF', '--all-match', ...patterns, 'HEAD', '--', '*.md'];
}

function ripgrepAll(words: string): string {
  const [first, ...others] = words.split(' ');
  return [`rg -0liwF ${first} .`, ...others.map((word) => `xargs -0r rg -0liwF ${word}`)].join(' | ');
}

/** Nothing found is an answer too, so the status does not count. */
function run([command = '', ...args]: readonly string[], cwd?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.resume();
    child.on('error', reject);
    child.on('close', () => resolve());
  });
}
