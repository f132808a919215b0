import { createInterface } from 'node:readline';
import { createRepository } from '../../../src/storage/create-repository.ts';
import { nodeFileSystem } from '../../../src/storage/files/node-file-system.ts';
import { nodeHost } from '../../../src/storage/files/node-host.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import type { CommitRequest, Transaction } from '../../../src/storage/storage.ts';
import { StorageError } from '../../../src/storage/storage-error.ts';
import { keepBoth, pagesAt, writeCommit } from '../pages.ts';

/**
 * One process of a race, `writer.ts DIRECTORY PLACEMENT`: takes a job on each line of its standard input and
 * prints an answer for each. Its first line is its process id.
 */
export interface Job {
  requestId: string;
  /** The page that gets one more line, the same line from each writer. */
  page: string;
}

export type Answer =
  | { requestId: string; kind: 'committed' | 'repeated'; commit: string; replays: number }
  | { requestId: string; kind: 'failed'; code: string };

/** Every job appends to this page as well. */
const SHARED_PAGE = 'Shared.md';

const [directory = '', placement = 'local'] = process.argv.slice(2);
const shared = placement === 'shared';
const place = { fs: nodeFileSystem, host: nodeHost(), directory };
// The first process makes the wiki.
await createRepository({ ...place, branch: 'main', shared });
const storage = await openStorage({
  ...place,
  placement: shared ? 'shared' : 'local',
  cacheBytes: 2 ** 24,
  mergeForeign: keepBoth,
});
print(process.pid);
const answers: Promise<void>[] = [];
for await (const line of createInterface({ input: process.stdin })) answers.push(answer(JSON.parse(line)));
await Promise.all(answers);
await storage.close();

async function answer(job: Job): Promise<void> {
  print(await carryOut(job));
}

async function carryOut({ requestId, page }: Job): Promise<Answer> {
  try {
    const outcome = await storage.commit(appendRequest(requestId, page));
    if (outcome.kind === 'unchanged') throw new Error('To append a line is a change.');
    const replays = outcome.kind === 'committed' ? outcome.replays : 0;
    return { requestId, kind: outcome.kind, commit: outcome.commit, replays };
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return { requestId, kind: 'failed', code: error.code };
  }
}

function appendRequest(requestId: string, page: string): CommitRequest {
  return {
    requestId,
    digest: page,
    build: async (base, transaction) => {
      const pages = base ? await pagesAt(transaction, base) : new Map<string, string>();
      for (const name of new Set([page, SHARED_PAGE])) await appendLine(transaction, pages, name);
      return writeCommit(transaction, base, pages, 'Append a line');
    },
  };
}

async function appendLine(transaction: Transaction, pages: Map<string, string>, page: string): Promise<void> {
  const oid = pages.get(page);
  const text = oid ? Buffer.from((await transaction.read(oid)).content) : Buffer.alloc(0);
  pages.set(page, await transaction.write('blob', Buffer.concat([text, Buffer.from('the same line\n')])));
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
