import type { Oid } from '../storage.ts';
import { StorageError } from '../storage-error.ts';

/** One step of the chain: `commit` came after `parent`, null before the first. */
export interface ChainLink {
  parent: Oid | null;
  commit: Oid;
  /** Native git brought it, so its trailers prove nothing. */
  adopted: boolean;
}

/** An end of the chain: its newest link, null while it is empty. */
export type ChainEnd = ChainLink | null;

/** The name before the first commit. */
export const FIRST_NAME = '0'.repeat(40);
const ADOPTED = 'adopted-';

export function isOid(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text);
}

/** The name that the successor of `end` has. */
export function nameAfter(end: ChainEnd): string {
  return end?.commit ?? FIRST_NAME;
}

/** What that name leads to. */
export function targetOf({ commit, adopted }: ChainLink): string {
  return adopted ? ADOPTED + commit : commit;
}

/** The links after `end`, in order, as `read` finds each. Throws `corrupt_chain` where they lead into a circle. */
export async function* linksAfter(
  end: ChainEnd,
  read: (name: string) => Promise<ChainLink | null>,
): AsyncGenerator<ChainLink> {
  const met = new Set([nameAfter(end)]);
  for (let link = await read(nameAfter(end)); link; link = await read(link.commit)) {
    if (met.has(link.commit)) throw circle(link);
    met.add(link.commit);
    yield link;
  }
}

function circle(link: ChainLink): StorageError {
  const name = link.parent ?? FIRST_NAME;
  return new StorageError(
    'corrupt_chain',
    `The chain is damaged: with its entry ${name} it leads in a circle.`,
    {
      name,
    },
  );
}

/** Throws `corrupt_chain` where the target is none. */
export function parseLink(name: string, target: string): ChainLink {
  const adopted = target.startsWith(ADOPTED);
  const commit = adopted ? target.slice(ADOPTED.length) : target;
  if (!isOid(commit)) {
    throw new StorageError('corrupt_chain', `The chain's entry ${name} is damaged: it names no commit.`, {
      name,
    });
  }
  return { parent: name === FIRST_NAME ? null : name, commit, adopted };
}
