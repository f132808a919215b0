import { join } from 'node:path';
import { errorName, type FileSystem } from '../files/file-system.ts';
import type { Layout } from '../layout.ts';
import type { RequestTrailers } from '../objects/commit-text.ts';
import type { Oid } from '../storage.ts';
import { fileSystemFailure } from '../storage-error.ts';
import { readNamedLink } from './named-links.ts';
import { requestNameOf } from './request-name.ts';

/**
 * Whether a writer of this very wiki made the commit, as far as can be told without the chain: its request is
 * remembered, or it lies in the pack that it names. What native git pushed has neither, whatever its message says. No
 * ref names such a commit before the chain does.
 */
export async function wasMadeHere(
  fs: FileSystem,
  layout: Layout,
  commit: Oid,
  request: RequestTrailers,
): Promise<boolean> {
  const { bucket, name } = requestNameOf(request.requestId);
  const entry = join(layout.requests, bucket, name);
  try {
    if ((await readNamedLink(fs, entry)) === commit) return true;
    await fs.lstat(join(layout.packs, `pack-${commit}.pack`));
    return true;
  } catch (error) {
    if (errorName(error) === 'ENOENT') return false;
    throw fileSystemFailure(error, 'Looking the request up', entry);
  }
}
