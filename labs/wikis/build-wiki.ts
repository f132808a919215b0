import { execFile, spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { changedPage, pagePath, pageText, type WikiShape } from './wiki-text.ts';

const FIRST_DATE = 1_700_000_000;

/**
 * Makes a bare repository at `directory` with native git: all pages, then one change after another, in one pack
 * with deltas, as `git gc` leaves it. 10,000 pages with 10,000 commits take some 15 seconds.
 */
export async function buildWiki(directory: string, shape: WikiShape): Promise<void> {
  const run = promisify(execFile);
  await run('git', ['init', '--quiet', '--bare', '--initial-branch=main', directory]);
  const importer = spawn('git', ['-C', directory, 'fast-import', '--quiet', '--done'], {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    importer.on('error', reject);
    importer.on('close', resolve);
  });
  await pipeline(Readable.from(importStream(shape)), importer.stdin);
  const status = await ended;
  if (status !== 0) throw new Error(`git fast-import ended with ${status}.`);
  await run('git', ['-C', directory, 'repack', '-adfq', '--depth=50']);
}

function* importStream(shape: WikiShape): Generator<string> {
  yield commitHead(0, 'Write all pages');
  for (let page = 0; page < shape.pages; page += 1) yield pageLines(shape, page, 0);
  const changes = new Map<number, number>();
  for (let commit = 1; commit < shape.commits; commit += 1) {
    const page = changedPage(shape, commit);
    const count = (changes.get(page) ?? 0) + 1;
    changes.set(page, count);
    yield commitHead(commit, `Change page ${page}`) + pageLines(shape, page, count);
  }
  yield 'done\n';
}

function commitHead(number: number, message: string): string {
  const author = `Writer ${number % 20} <writer-${number % 20}@example.org> ${FIRST_DATE + number * 60} +0000`;
  return `commit refs/heads/main\nauthor ${author}\ncommitter ${author}\n${data(message)}`;
}

function pageLines(shape: WikiShape, page: number, changes: number): string {
  return `M 100644 inline ${pagePath(shape, page)}\n${data(pageText(shape, page, changes))}`;
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}
