import type { Backend } from '@pagetree/backends/backend';
import type { Wiki } from '@pagetree/wiki/contract';
import type { FileSaving } from '../mcp/tool-list.ts';
import { openLocalFiles } from './local-files.ts';
import { withLocalFiles } from './with-local-files.ts';

/** The wiki of a backend whose calls may name files in `directories`, and what is said of that in the list of tools. */
export function servedWiki(
  { wiki, isRemote }: Backend,
  directories: readonly string[],
  savesFiles: boolean,
): { wiki: Wiki; saving: FileSaving } {
  const canSave: FileSaving = directories.length > 0 ? 'offered' : 'impossible';
  return {
    wiki: withLocalFiles(wiki, openLocalFiles([...directories]), { savesFiles, isRemote }),
    saving: savesFiles ? canSave : 'forbidden',
  };
}
