import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
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

/**
 * SQLite's FTS5 as its documentation sets it up, in a file at `place`: its own tokenizer, pages with any of the words, the
 * best ten by bm25.
 */
export async function measureFts5(
  checkout: string,
  place: string,
  questions: Questions,
): Promise<Record<string, Timing>> {
  const database = new DatabaseSync(place);
  database.exec('CREATE VIRTUAL TABLE pages USING fts5 (path UNINDEXED, text); BEGIN');
  const insert = database.prepare('INSERT INTO pages (path, text) VALUES (?, ?)');
  for (const path of await readdir(checkout, { recursive: true })) {
    if (path.endsWith('.md')) insert.run(path, await readFile(join(checkout, path), 'utf8'));
  }
  database.exec('COMMIT');
  const select = database.prepare('SELECT path FROM pages WHERE pages MATCH ? ORDER BY rank LIMIT 10');
  const timed = (wanted: readonly string[], toQuery: (words: string) => string) =>
    time(wanted, async (words) => select.all(toQuery(words)), ROUNDS);
  const anyWord = (words: string) => words.split(' ').map(quoted).join(' OR ');
  const timings = {
    search_word: await timed(questions.words, anyWord),
    search_two_words: await timed(questions.twoWords, anyWord),
    search_three_words: await timed(questions.threeWords, anyWord),
    search_phrase: await timed(questions.phrases, quoted),
  };
  database.close();
  return timings;
}

/** As many as for ours. */
const ROUNDS = 5;

function quoted(words: string): string {
  return `"${words.replaceAll('"', '""')}"`;
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
