import { join } from 'node:path';
import type { ParsedCommit } from '../../../formats/commit.ts';
import type { Oid } from '../../../formats/oid.ts';
import { FIRST_NAME } from '../../commits/chain-link.ts';
import { requestNameOf } from '../../commits/request-name.ts';
import { type RequestTrailers, requestOf } from '../../commits/request-trailers.ts';
import { isThere } from '../../files/directories.ts';
import type { FileSystem } from '../../files/file-system.ts';
import { readNamedLink } from '../../files/named-links.ts';
import type { Layout } from '../../layout.ts';
import { fileSystemFailure } from '../../storage-error.ts';
import { predecessorOf } from './naming-commit.ts';
import { originOf } from './origin.ts';
import { listOtherChains } from './other-chains.ts';

/**
 * True if a writer of this very branch made the commit, as far as this can be known without the chain: its
 * request is remembered, or it lies in the pack that is named after it. Commits pushed by native git have
 * neither, whatever their messages say. No ref names a writer's commit before the chain does. A pack proves
 * nothing if it may have come from elsewhere: from the wiki that was cloned, or from another branch whose
 * chain names the commit.
 */
export async function wasMadeHere(
  fs: FileSystem,
  layout: Layout,
  commit: Oid,
  text: ParsedCommit,
): Promise<boolean> {
  const request = requestOf(text);
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

/**
 * True for a commit that another branch began with or adopted: that branch has another name for it, or marks
 * it as adopted.
 */
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
