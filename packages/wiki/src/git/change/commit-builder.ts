import type { Author } from '../../contract/wiki.ts';
import { type Signature, serializeCommit } from '../../formats/commit.ts';
import type { Oid } from '../../formats/oid.ts';
import type { Transaction } from '../../storage/storage.ts';
import type { Objects } from '../objects.ts';
import { cleanAuthor, composeMessage } from './commit-message.ts';

export interface NewCommit {
  parent: Oid | null;
  tree: Oid;
  author: Author;
  /** The time of authorship; by default the time of the commit. */
  authored?: { seconds: number; zone: string } | undefined;
  agent: string | null;
  message: string;
  /** Milliseconds since 1970. */
  now: number;
}

/** Writes a commit of the wiki's own, with the trailers that the transaction requires. */
export async function writeCommit(
  objects: Objects,
  transaction: Transaction,
  commit: NewCommit,
): Promise<Oid> {
  const { parent, tree, agent, message } = commit;
  const committed = { seconds: await commitSeconds(objects, parent, commit.now), zone: '+0000' };
  const author: Signature = { ...cleanAuthor(commit.author), ...(commit.authored ?? committed) };
  const content = serializeCommit({
    tree,
    parents: parent === null ? [] : [parent],
    author,
    committer: { ...COMMITTER, ...committed },
    message: composeMessage(message, agent, transaction.trailers),
  });
  return transaction.write('commit', content);
}

/**
 * Git shows history by committer date, so a commit is never dated before its parent, whatever the clocks say.
 */
async function commitSeconds(objects: Objects, parent: Oid | null, now: number): Promise<number> {
  const seconds = Math.floor(now / 1000);
  return parent === null ? seconds : Math.max(seconds, (await objects.commit(parent)).committer.seconds);
}

const COMMITTER: Author = { name: 'Pagetree', email: 'pagetree@localhost' };
