import type { CommitChain } from '../chain/chain.ts';
import type { ChainLink } from '../chain/chain-link.ts';
import { type GatheringTransaction, openTransaction } from '../chain/transaction.ts';
import { type Host, randomName } from '../files/host.ts';
import { parseCommit, trailerLines } from '../objects/commit-text.ts';
import type { PackDirectory } from '../objects/pack-directory.ts';
import { encodePack } from '../objects/pack-writer.ts';
import {
  FOLDER_MODE,
  formatTree,
  parseTree,
  readablePath,
  SUBMODULE_MODE,
  type TreeTextEntry,
} from '../objects/tree-text.ts';
import type { ObjectReader, Oid, RepairReport } from '../storage.ts';
import { StorageError } from '../storage-error.ts';
import { isLost, openSoundness, type Soundness } from './soundness.ts';

export interface RepairParts {
  host: Host;
  chain: CommitChain;
  packs: PackDirectory;
  objects: ObjectReader;
}

/**
 * Where commits of the chain are missing or damaged: links, after the chain's end, a commit on the last one that
 * is complete with its history. It holds each page as the newest commit has it that can be read, or as the last
 * complete one had it; what it cannot bring back is named. The chain itself is never changed, for a process that
 * knows its end goes on writing there. Nothing is invented: every page is one that somebody wrote.
 */
export async function repairWiki({ host, chain, packs, objects }: RepairParts): Promise<RepairReport> {
  await chain.refresh();
  const links = await chain.follow(null);
  const end = links.at(-1);
  const soundness = openSoundness(objects);
  const lastComplete = await lastCompleteOf(links, soundness);
  if (!end || lastComplete === end.commit) return { commit: null, parent: lastComplete, lost: [] };

  const requestId = `repair-${end.commit}`;
  const trailers = trailerLines({ requestId, digest: end.commit, nonce: randomName(host) });
  const transaction = openTransaction(objects, trailers);
  const lost: RepairReport['lost'][number][] = [];
  const salvage = openSalvage(soundness, transaction, end.commit, (path, kept) =>
    lost.push({ path: readablePath(path), kept }),
  );
  const newest = await newestReadableTree(links, objects);
  const before = lastComplete === null ? null : parseCommit((await objects.read(lastComplete)).content).tree;
  const tree = (await salvage(newest, before, '')) ?? (await transaction.write('tree', new Uint8Array()));
  const text = commitText(tree, lastComplete, lost, trailers, host.now());
  const commit = await transaction.write('commit', new TextEncoder().encode(text));

  const pack = encodePack(transaction.objects());
  await packs.land(commit, pack);
  if (!(await chain.append(end, commit, false))) {
    packs.withdraw(commit);
    throw new StorageError('busy', 'Another process wrote or repaired at the same time. Try again.');
  }
  packs.linked(commit, pack);
  await chain.sync();
  return { commit, parent: lastComplete, lost };
}

async function lastCompleteOf(links: readonly ChainLink[], soundness: Soundness): Promise<Oid | null> {
  let last: Oid | null = null;
  // From the oldest on, so that of each only what is new in it is read.
  for (const { commit } of links) if (await soundness.isComplete(commit)) last = commit;
  return last;
}

async function newestReadableTree(links: readonly ChainLink[], objects: ObjectReader): Promise<Oid | null> {
  for (const { commit } of links.toReversed()) {
    try {
      const { tree } = parseCommit((await objects.read(commit)).content);
      await objects.read(tree);
      return tree;
    } catch (error) {
      if (!isLost(error)) throw error;
    }
  }
  return null;
}

type Salvage = (newest: Oid | null, before: Oid | null, path: string) => Promise<Oid | null>;

/** Makes the best of a newer tree, which may lack objects, and an older one, which is whole. */
function openSalvage(
  soundness: Soundness,
  transaction: GatheringTransaction,
  commit: Oid,
  tell: (path: string, kept: 'older version' | 'nothing') => void,
): Salvage {
  const salvage: Salvage = async (newest, before, path) => {
    if (newest !== null && (await soundness.isSound(newest, path, commit))) return newest;
    const newer = newest === null ? null : await entriesOf(transaction, newest);
    if (newer === null) {
      tell(path, before === null ? 'nothing' : 'older version');
      return before;
    }
    const older = new Map(
      (before === null ? null : await entriesOf(transaction, before))?.map((entry) => [entry.name, entry]),
    );
    const entries: TreeTextEntry[] = [];
    for (const entry of newer) {
      const found = await salvageEntry(
        entry,
        older.get(entry.name),
        path === '' ? entry.name : `${path}/${entry.name}`,
      );
      if (found) entries.push(found);
    }
    return transaction.write('tree', formatTree(entries));
  };

  async function salvageEntry(
    entry: TreeTextEntry,
    older: TreeTextEntry | undefined,
    path: string,
  ): Promise<TreeTextEntry | null> {
    if (entry.mode === SUBMODULE_MODE || (await soundness.isSound(entry.oid, path, commit))) return entry;
    if (entry.mode !== FOLDER_MODE) {
      tell(path, older && older.mode !== FOLDER_MODE ? 'older version' : 'nothing');
      return older && older.mode !== FOLDER_MODE ? older : null;
    }
    const oid = await salvage(entry.oid, older?.mode === FOLDER_MODE ? older.oid : null, path);
    return oid === null ? null : { ...entry, oid };
  }

  return salvage;
}

/** Null where the tree cannot be read. */
async function entriesOf(objects: ObjectReader, tree: Oid): Promise<TreeTextEntry[] | null> {
  try {
    return parseTree((await objects.read(tree)).content);
  } catch (error) {
    if (!isLost(error)) throw error;
    return null;
  }
}

const MOST_NAMED = 100;

function commitText(
  tree: Oid,
  parent: Oid | null,
  lost: RepairReport['lost'],
  trailers: readonly string[],
  now: number,
): string {
  const who = `Pagetree <pagetree@localhost> ${Math.floor(now / 1000)} +0000`;
  const named = lost.slice(0, MOST_NAMED).map(({ path, kept }) => `- ${path || 'all pages'}: ${kept} kept`);
  const more = lost.length > MOST_NAMED ? [`- and ${lost.length - MOST_NAMED} more`] : [];
  return [
    `tree ${tree}`,
    ...(parent === null ? [] : [`parent ${parent}`]),
    `author ${who}`,
    `committer ${who}`,
    '',
    'Repair the wiki after commits were lost',
    '',
    ...named,
    ...more,
    ...(lost.length > 0 ? [''] : []),
    ...trailers,
    '',
  ].join('\n');
}
