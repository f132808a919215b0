import { createHash } from 'node:crypto';
import type { Oid } from '../../src/formats/oid.ts';
import type { CommitRequest, ObjectReader, Transaction } from '../../src/storage/storage.ts';

let requestsMade = 0;

export function pageRequest(page: string, text: string, request: Partial<CommitRequest> = {}): CommitRequest {
  requestsMade += 1;
  return {
    requestId: `test-${requestsMade}`,
    digest: createHash('sha256').update(`${page}=${text}`).digest('hex'),
    build: async (base, transaction) => {
      const blob = await transaction.write('blob', Buffer.from(text));
      const pages = base ? await pagesAt(transaction, base) : new Map<string, Oid>();
      return writeCommit(transaction, base, pages.set(page, blob), `Write ${page}`);
    },
    ...request,
  };
}

/** Adds the pages of the foreign commit; if both sides have a page, ours stays. */
export async function keepBoth(tip: Oid, foreign: Oid, transaction: Transaction): Promise<Oid> {
  return writeCommit(transaction, tip, await bothPages(tip, foreign, transaction), `Bring in ${foreign}`);
}

/** The same as a merge commit. */
export async function mergeBoth(tip: Oid, foreign: Oid, transaction: Transaction): Promise<Oid> {
  return writeCommit(
    transaction,
    tip,
    await bothPages(tip, foreign, transaction),
    `Merge ${foreign}`,
    foreign,
  );
}

async function bothPages(tip: Oid, foreign: Oid, objects: ObjectReader): Promise<Map<string, Oid>> {
  return new Map([...(await pagesAt(objects, foreign)), ...(await pagesAt(objects, tip))]);
}

export async function pagesAt(objects: ObjectReader, commit: Oid): Promise<Map<string, Oid>> {
  const text = Buffer.from((await objects.read(commit)).content).toString();
  const tree = Buffer.from((await objects.read(text.slice(5, 45))).content);
  const pages = new Map<string, Oid>();
  for (let position = 0; position < tree.length; ) {
    const end = tree.indexOf(0, position);
    const name = tree.toString('utf8', position + '100644 '.length, end);
    pages.set(name, tree.toString('hex', end + 1, end + 21));
    position = end + 21;
  }
  return pages;
}

export async function writeCommit(
  transaction: Transaction,
  base: Oid | null,
  pages: Map<string, Oid>,
  message: string,
  merged: Oid | null = null,
): Promise<Oid> {
  const names = [...pages.keys()].sort();
  const entries = names.map((name) =>
    Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(pages.get(name) ?? '', 'hex')]),
  );
  const tree = await transaction.write('tree', Buffer.concat(entries));
  const lines = [
    `tree ${tree}`,
    ...(base ? [`parent ${base}`] : []),
    ...(merged ? [`parent ${merged}`] : []),
    'author A. Writer <writer@example.org> 1700000000 +0000',
    'committer A. Writer <writer@example.org> 1700000000 +0000',
    '',
    message,
    '',
    ...transaction.trailers,
    '',
  ];
  return transaction.write('commit', Buffer.from(lines.join('\n')));
}
