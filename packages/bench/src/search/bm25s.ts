import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { installPythonPackages } from '../../../../labs/requirements.ts';
import { type Engine, MAX_FOUND } from './engines.ts';
import type { Page } from './known-items.ts';

/** Python's bm25s as its documentation sets it up, which answers all questions at once. */
export async function openBm25s(
  pages: readonly Page[],
  questions: readonly string[],
  stems: boolean,
): Promise<Engine> {
  const packages = await installPythonPackages(PACKAGES);
  const asking = promisify(execFile)('env', [`PYTHONPATH=${packages}`, 'python3', PROGRAM], {
    maxBuffer: 2 ** 28,
  });
  const texts = pages.map(({ title, text }) => `${title}\n${text}`);
  asking.child.stdin?.end(JSON.stringify({ texts, questions, stems, most: MAX_FOUND }));
  const found = JSON.parse((await asking).stdout) as number[][];
  const answers = new Map(
    questions.map((question, at) => [question, (found[at] ?? []).map((page) => pages[page]?.path ?? '')]),
  );
  return { close: async () => {}, search: async (question) => answers.get(question) ?? [] };
}

const PACKAGES = ['bm25s==0.3.15', 'PyStemmer==3.0.0'];
const PROGRAM = fileURLToPath(new URL('./bm25s_answers.py', import.meta.url));
