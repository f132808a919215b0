import { folderAddress, pageAddress } from '../../addresses.ts';
import type { Graph } from './kept-graphs.ts';

/** The address of a page or folder. */
export function addressOf(wiki: string, { of }: Graph, path: string): string {
  return of === 'folders' ? folderAddress(wiki, path) : pageAddress(wiki, path);
}
