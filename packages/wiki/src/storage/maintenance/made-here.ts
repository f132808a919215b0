import { join } from 'node:path';
import { FIRST_NAME } from '../chain/chain-link.ts';
import { readNamedLink } from '../chain/named-links.ts';
import { requestNameOf } from '../chain/request-name.ts';
import { isThere } from '../files/directories.ts';
import type { FileSystem } from '../files/file-system.ts';
import type { Layout } from '../layout.ts';
import type { CommitText, RequestTrailers } from '../objects/commit-text.ts';
import type { Oid } from '../storage.ts';
import { fileSystemFailure } from '../storage-error.ts';
import { predecessorOf } from './naming-commit.ts';
import { originOf } from './origin.ts';
import { listOtherChains } from './other-chains.ts';

/**
 * Whether a writer of this very branch made the commit, as far as can be told without its chain: its request is
 * remembered, or it lies in the pack that it names. What native git pushed has neither, whatever its message says. No
 * ref names such a commit before the chain does. A pack tells nothing where it may have come from elsewhere: from the
 * wiki that was cloned, or from another branch, whose chain then names the commit.
 */
export async function wasMadeHere(
  fs: FileSystem,
  layout: Layout,
  commit: Oid,
  text: CommitText,
): Promise<boolean> {
  const { request } = text;
  if (request === null) return false;
  try {
    if (await isRemembered(fs, layout, commit, request)) return true;
    if (!(await isThere(fs, join(layout.packs, `pack-${commit}.pack`)))) return false;
    if ((await originOf(fs, layout)) === 'clone') return false;
    return !(await wasMadeInAnotherBranch(fs, layout, commit, predecessorOf(text)));
  } catch (error) {
    throw fileSystemFailure(error, 'Looking who made a commit', layout.gitDirectory);
  }
}

async function isRemembered(
  fs: FileSystem,
  layout: Layout,
  commit: Oid,
  { requestId }: RequestTrailers,
): Promise<boolean> {
  const { bucket, name } = requestNameOf(requestId);
  return (await readNamedLink(fs, join(layout.requests, bucket, name))) === commit;
}

/** A branch that began with the commit, or adopted it, has another name for it, or says that it adopted it. */
async function wasMadeInAnotherBranch(
  fs: FileSystem,
  layout: Layout,
  commit: Oid,
  predecessor: Oid | null,
): Promise<boolean> {
  for (const chain of await listOtherChains(fs, layout)) {
    if ((await readNamedLink(fs, join(chain, predecessor ?? FIRST_NAME))) === commit) return true;
  }
  return false;
}
