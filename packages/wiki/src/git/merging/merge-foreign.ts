import { BROUGHT_IN } from '../../core/commit-info.ts';
import { decodeName, type Name } from '../../formats/names.ts';
import type { Oid } from '../../formats/oid.ts';
import type { Transaction } from '../../storage/storage.ts';
import { writeCommit } from '../change/commit-builder.ts';
import { splitMessage } from '../change/commit-message.ts';
import { Objects } from '../objects.ts';
import { mergeTrees } from './merge-trees.ts';

/**
 * Brings the changes of `foreign`, a commit of native git, into the wiki as one commit on `tip`. Where both sides
 * changed the same, the wiki keeps its own version, and the message names the file. The commit is made even if its
 * tree is the tip's: it records that `foreign` was dealt with.
 */
export async function mergeForeign(
  tip: Oid,
  foreign: Oid,
  transaction: Transaction,
  now: number,
): Promise<Oid> {
  const objects = new Objects(transaction, CACHE_BYTES);
  const { tree, conflicts } = await mergeTrees(
    transaction,
    { ours: tip, theirs: foreign },
    {
      write: transaction.write,
      // The tip does not reach the foreign commit's blobs, so their content goes into the pack as well.
      take: async (blob) => transaction.write('blob', await objects.blob(blob)),
    },
  );
  const theirs = await objects.commit(foreign);
  const { name, email, seconds, zone } = theirs.author;
  return writeCommit(objects, transaction, {
    parent: tip,
    tree,
    author: { name, email },
    authored: { seconds, zone },
    agent: null,
    message: describe(foreign, theirs.message, conflicts.map(readable)),
    now,
  });
}

function describe(foreign: Oid, message: string, conflicts: readonly string[]): string {
  const subject = splitMessage(message).text.split('\n', 1)[0] ?? '';
  const said = [
    `${BROUGHT_IN} ${subject}`,
    `Commit ${foreign} was made while the wiki went on. What it changed is brought in here as one commit.`,
  ];
  if (conflicts.length > 0) {
    said.push(
      [
        `Both sides changed the following. The wiki keeps its own; the other is in ${foreign},`,
        `which stays under refs/pagetree/external/${foreign}.`,
        ...conflicts.slice(0, CONFLICTS_SHOWN).map((path) => `- ${path}`),
        ...(conflicts.length > CONFLICTS_SHOWN ? [`- and ${conflicts.length - CONFLICTS_SHOWN} more`] : []),
      ].join('\n'),
    );
  }
  return said.join('\n\n');
}

function readable(path: readonly Name[]): string {
  return path.map((name) => decodeName(name) ?? JSON.stringify(name)).join('/');
}

const CACHE_BYTES = 16_000_000;
const CONFLICTS_SHOWN = 100;
