import { join } from 'node:path';
import type { UnopenedWiki } from '../../core/remote-port.ts';
import type { FileSystem } from '../../storage/files/file-system.ts';
import type { Host } from '../../storage/files/host.ts';
import { hasCommitAfter } from '../../storage/has-commit-after.ts';
import { keptRemote } from '../kept-remote.ts';
import { throwAsWikiError } from '../storage-failures.ts';
import { directoryOf } from './wiki-place.ts';

export interface UnopenedWikiParts {
  fs: FileSystem;
  host: Host;
  /** The directory of wikis. */
  directory: string;
  placement: 'local' | 'shared';
}

/** The small files of a wiki in this directory that say with what it is kept in sync. */
export function unopenedWiki(
  { fs, host, directory: wikis, placement }: UnopenedWikiParts,
  name: string,
): UnopenedWiki {
  const directory = join(wikis, directoryOf(name));
  const { settings, report } = keptRemote({ fs, host, gitDirectory: directory });
  return {
    remote: { settings, report },
    hasCommitAfter: (commit) =>
      hasCommitAfter({ fs, directory, shared: placement === 'shared' }, commit).catch(throwAsWikiError),
  };
}
