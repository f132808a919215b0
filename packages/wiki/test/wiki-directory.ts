import { onTestFinished } from 'vitest';
import type { OpenIndex } from '../src/core/index-port.ts';
import { starterPages } from '../src/core/pages/starter-pages.ts';
import {
  type OpenWikiDirectory,
  openWikiDirectory,
  type WikiDirectoryOptions,
} from '../src/git/wikis/wiki-directory.ts';
import { nodeFileSystem } from '../src/storage/files/node-file-system.ts';
import { nodeHost } from '../src/storage/files/node-host.ts';

/** A directory of wikis, closed when the test is done. */
export function openDirectory(
  directory: string,
  options: Partial<WikiDirectoryOptions> = {},
): OpenWikiDirectory {
  const wikis = openWikiDirectory({
    fs: nodeFileSystem,
    host: nodeHost(),
    directory,
    placement: 'local',
    readOnly: false,
    makes: 'default wiki',
    firstPages: starterPages,
    // Nothing here asks the index anything.
    openIndex: () => ({}) as OpenIndex,
    ...options,
  });
  onTestFinished(() => wikis.close());
  return wikis;
}
