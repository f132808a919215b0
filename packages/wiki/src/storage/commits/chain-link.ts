import type { Oid } from '../../formats/oid.ts';
import { StorageError } from '../storage-error.ts';

/** One link of the chain: `commit` follows `parent`, which is null for the first commit. */
export interface ChainLink {
  parent: Oid | null;
  commit: Oid;
  /** True if native git brought the commit: its trailers then prove nothing. */
  adopted: boolean;
}

/** The end of the chain: its newest link, or null while the chain is empty. */
export type ChainEnd = ChainLink | null;

/** The name that leads to the first commit. */
export const FIRST_NAME = '0'.repeat(40);
const ADOPTED = 'adopted-';

export function isOid(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text);
}

/** The name under which the successor of `end` is linked. */
export function nameAfter(end: ChainEnd): string {
  return end?.commit ?? FIRST_NAME;
}

/** The target of the link's name: the commit, with a mark if it was adopted. */
export function targetOf({ commit, adopted }: ChainLink): string {
  return adopted ? ADOPTED + commit : commit;
}

/** The links after `end`, in order, as `read` returns them. Throws `corrupt_chain` if they form a circle. */
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

export function circle(link: ChainLink): StorageError {
  const name = link.parent ?? FIRST_NAME;
  return new StorageError(
    'corrupt_chain',
    `The chain is damaged: with its entry ${name} it leads in a circle.`,
    {
      name,
    },
  );
}

/** Parses a name's target. Throws `corrupt_chain` if it is not a valid one. */
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
