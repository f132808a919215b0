import type { CommitChain } from '../../commits/chain.ts';
import { type ChainLink, circle } from '../../commits/chain-link.ts';
import type { OidList } from '../../maintenance/oid-list.ts';
import type { Run } from '../../maintenance/run.ts';

/**
 * Reads the chain from its first link to its current end. Names of the chain never change, so a later call,
 * or another call of the run, reads only what was added since. Throws what following the chain throws.
 */
export async function readChain(run: Run, chain: CommitChain): Promise<ChainLink[]> {
  const commits = run.list('chain');
  const adopted = run.slot<number[]>('adopted', []).value;
  for (;;) {
    const link = await chain.linkAfter(commits.at(commits.size - 1));
    if (link === null) return linksOf(commits, new Set(adopted));
    if (link.adopted) adopted.push(commits.size);
    if (!commits.add(link.commit)) throw circle(link);
    await run.step();
  }
}

function linksOf(commits: OidList, adopted: ReadonlySet<number>): ChainLink[] {
  let parent: ChainLink['parent'] = null;
  return [...commits].map((commit, at) => {
    const link = { parent, commit, adopted: adopted.has(at) };
    parent = commit;
    return link;
  });
}
