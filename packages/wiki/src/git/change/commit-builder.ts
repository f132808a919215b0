import type { Author } from '../../contract/wiki.ts';
import { type Signature, serializeCommit } from '../../formats/commit.ts';
import type { Oid } from '../../formats/oid.ts';
import type { Transaction } from '../../storage/storage.ts';
import type { Objects } from '../objects.ts';
import { cleanAuthor, composeMessage } from './commit-message.ts';

export interface NewCommit {
  parent: Oid | null;
  /** The second parent of a merge. */
  merged?: Oid;
  tree: Oid;
  author: Author;
  /** The time of authorship; by default the time of the commit. */
  authored?: { seconds: number; zone: string } | undefined;
  agent: string | null;
  message: string;
  /** Lines for programs, at the end of the message. */
  trailers?: readonly string[];
  /** Milliseconds since 1970. */
  now: number;
}

/** Writes a commit of the wiki's own, with the trailers that the transaction requires. */
export async function writeCommit(
  objects: Objects,
  transaction: Transaction,
  commit: NewCommit,
): Promise<Oid> {
  const { parent, merged, tree, agent, message, trailers = [] } = commit;
  const parents = [parent, merged].filter((each) => each !== null && each !== undefined);
  const committed = { seconds: await commitSeconds(objects, parent, commit.now), zone: '+0000' };
  const author: Signature = { ...cleanAuthor(commit.author), ...(commit.authored ?? committed) };
  const content = serializeCommit({
    tree,
    parents,
    author,
    committer: { ...COMMITTER, ...committed },
    message: composeMessage(message, agent, [...trailers, ...transaction.trailers]),
  });
  return transaction.write('commit', content);
}

/**
 * Git shows history by committer date, so a commit is never dated before its parent, whatever the clocks say.
 * The clock of a merged history does not count: if it is wrong, every later commit would have its date.
 */
async function commitSeconds(objects: Objects, parent: Oid | null, now: number): Promise<number> {
  const seconds = Math.floor(now / 1000);
  return parent === null ? seconds : Math.max(seconds, (await objects.commit(parent)).committer.seconds);
}

const COMMITTER: Author = { name: 'Pagetree', email: 'pagetree@localhost' };
