import type { Disk } from './folder/disk.ts';
import type { Contents, FolderContents, KnownFile } from './folder/folder-contents.ts';
import type { FolderWriter } from './folder/folder-writer.ts';
import type { KeptLinks } from './folder/kept-links.ts';
import type { MirrorState } from './folder/mirror-state.ts';
import type { FolderScan } from './folder/scan-folder.ts';
import type { WikiFile } from './names/placeable-files.ts';
import type { WikiSide } from './wiki/wiki-side.ts';

/** Both sides, and what they agreed on. */
export interface Sides {
  disk: Disk;
  root: string;
  scan: FolderScan;
  contents: FolderContents;
  writer: FolderWriter;
  kept: KeptLinks;
  wiki: WikiSide;
  state: MirrorState;
  /** Conflicts in files that the system does not let be replaced, by key. */
  unmergeable: Map<string, { versions: string; reason: string; untilMs: number }>;
  /** The person's name, for the names of conflict copies. */
  author: string;
  now(): number;
  /** Tells the person. */
  say(sentence: string): void;
  /** Makes the state durable. */
  save(): Promise<void>;
  /** True if nothing changed in the state since. */
  isSaved(): boolean;
}

/** One look at both sides. */
export interface Look {
  contents: Contents;
  /** The files of the wiki that may be in the folder, by key. */
  wikiFiles: Map<string, WikiFile>;
}

/** A file that differs: its key, what the folder has, and what the wiki has. */
export interface Difference {
  key: string;
  folder: KnownFile | null;
  wiki: WikiFile | null;
}

/** What a pass has found out on the way. */
export interface Findings {
  /** True if another pass has something to do at once. */
  again: boolean;
  /** The reason for each file that is not kept in step. */
  leftOut: Map<string, string>;
}
