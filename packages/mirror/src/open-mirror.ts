import { join } from 'node:path';
import { limits, WikiError } from '@pagetree/wiki/contract';
import { codeOf, type Disk, statusAt } from './folder/disk.ts';
import { FolderContents } from './folder/folder-contents.ts';
import { FolderWriter } from './folder/folder-writer.ts';
import { KeptLinks } from './folder/kept-links.ts';
import {
  AgreedFiles,
  homeOf,
  loadState,
  type MirrorState,
  OWN_FOLDER,
  readId,
  savedAtMs,
  saveState,
  writeId,
} from './folder/mirror-state.ts';
import { takeTurn } from './folder/one-mirror.ts';
import { FolderScan } from './folder/scan-folder.ts';
import { Mirror, type MirrorParts } from './mirror.ts';
import { WikiSide } from './wiki/wiki-side.ts';

export interface OpenedMirror {
  mirror: Mirror;
  /** Lets another process mirror the folder. */
  close(): void;
}

/** Opens the mirror of a folder, which is made if missing. Throws if another process mirrors it, or for another wiki. */
export async function openMirror(root: string, parts: MirrorParts): Promise<OpenedMirror> {
  const { disk, now, say } = parts;
  disk.mkdirSync(join(root, OWN_FOLDER), { recursive: true });
  requireOwnFolders(disk, root);
  hideFromGit(disk, root);
  const giveBack = takeTurn(join(root, OWN_FOLDER));
  if (giveBack === null) throw isMirrored(root);
  try {
    requireKeptNames(disk, root);
    const state = await stateOf(root, parts);
    const wiki = new WikiSide(parts, state.commit);
    const kept = new KeptLinks(disk, join(root, OWN_FOLDER, 'replaced'));
    kept.recover(now());
    const writer = new FolderWriter(disk, root, join(root, OWN_FOLDER, 'new'), kept, now);
    const contents = new FolderContents(disk, root, limits.attachmentBytes, savedAtMs(disk, root));
    const author = parts.call.caller.author.name;
    let saved = '';
    const print = () => `${state.commit} ${state.files.changes}`;
    const save = async () => {
      const now = print();
      await saveState(disk, root, state);
      saved = now;
    };
    const isSaved = () => saved === print();
    const scan = new FolderScan(disk, root);
    const files = { disk, root, scan, contents, writer, kept, unmergeable: new Map() };
    const sides = { ...files, wiki, state, author, now, say, save, isSaved };
    return { mirror: new Mirror(sides, parts.call), close: giveBack };
  } catch (error) {
    giveBack();
    throw error;
  }
}

async function stateOf(root: string, parts: MirrorParts): Promise<MirrorState> {
  const { disk, name, call, randomBytes, say } = parts;
  const source = JSON.stringify({ wiki: name, scope: call.scope ?? null });
  const loaded = loadState(disk, root);
  const known = readId(disk, root);
  if (loaded !== null && loaded.id === known) {
    if (loaded.source !== source) throw hasOtherSource(root, loaded.source, source);
    if (loaded.home === homeOf(disk, root)) return loaded;
    // What a copy lacks was not deleted: it may not be complete.
    say(
      'The folder is a copy of a mirror. Both sides are compared as if for the first time; nothing is deleted.',
    );
  }
  const id = known ?? Buffer.from(randomBytes(16)).toString('hex');
  if (known === null) await writeId(disk, root, id);
  const home = homeOf(disk, root);
  const agreed = { files: new AgreedFiles(), pending: new Map(), removing: new Set<string>() };
  return { id, source, home, commit: null, ...agreed };
}

/** Throws if a link leads out of the mirror's own folder: it may have come with a folder of somebody else. */
function requireOwnFolders(disk: Disk, root: string): void {
  for (const part of ['', 'new', 'replaced', 'turn']) {
    const place = join(root, OWN_FOLDER, part);
    if (statusAt(disk, place)?.isSymbolicLink() === true) throw isLink(place);
  }
}

/** Throws if the disk gives names back in other letters than they were written: that would rename each page of the wiki. */
function requireKeptNames(disk: Disk, root: string): void {
  const folder = join(root, OWN_FOLDER);
  const name = 'Upper and lower';
  disk.writeFileSync(join(folder, name), '');
  const isKept = disk.readdirSync(folder).includes(name);
  disk.unlinkSync(join(folder, name));
  if (!isKept) throw changesNames(root);
}

/** A state that git put back to that of another branch would be wrong, and without the id the mirror stops. */
function hideFromGit(disk: Disk, root: string): void {
  try {
    disk.writeFileSync(join(root, OWN_FOLDER, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

function isLink(place: string): WikiError {
  return new WikiError('invalid_input', {
    happened: `${place} is a link, which a mirror does not make.`,
    now: 'Nothing was changed.',
    next: `Look at what it is. If you do not need it, remove ${OWN_FOLDER} from the folder, and start again.`,
  });
}

function changesNames(root: string): WikiError {
  return new WikiError('invalid_input', {
    happened: `The disk of ${root} changes capital letters in names to small ones, or the reverse.`,
    now: 'Nothing was changed.',
    next: 'Choose a folder on another disk: here each page of the wiki would be renamed.',
  });
}

function isMirrored(root: string): WikiError {
  return new WikiError('busy', {
    happened: `Another process mirrors the folder ${root}.`,
    now: 'Nothing was changed.',
    next: 'End that one first, or choose another folder.',
  });
}

function hasOtherSource(root: string, before: string, now: string): WikiError {
  return new WikiError('invalid_input', {
    happened: `The folder ${root} was made with ${before}, and is asked for with ${now}.`,
    now: 'Nothing was changed.',
    next: `Give --wiki, --scope and --write-scope as then, or choose another folder. Without ${OWN_FOLDER} in it, the folder and the wiki are compared as if for the first time.`,
  });
}
