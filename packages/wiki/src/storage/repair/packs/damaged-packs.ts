import { dirname, join } from 'node:path';
import { CHECKSUM_BYTES, type Oid } from '../../../formats/oid.ts';
import { INDEX_ENTRY_BYTES, INDEX_TRAILER_BYTES, OIDS_AT } from '../../../formats/packs/pack-index.ts';
import type { FileSystem } from '../../files/file-system.ts';
import { unlessGone } from '../../files/unless-gone.ts';
import { OutOfTime, PACKED_OBJECTS, Run } from '../../maintenance/run.ts';
import { retiredPacks } from '../../packs/merging/retired-packs.ts';
import type { ObjectReader } from '../../storage.ts';
import { fileSystemFailure, isLost, isTooLarge } from '../../storage-error.ts';
import { readNamingCommit } from '../chain/naming-commit.ts';
import { endsWithItsChecksum } from './file-checksum.ts';
import { beginSalvage, type SalvageProgress, salvagePack } from './salvage-pack.ts';
import { readingStored } from './stored-objects.ts';

/** A pack that differs from what was written. */
export interface DamagedPack {
  /** Between `pack-` and the ending. */
  name: string;
  /** The damage, in plain words. */
  text: string;
  /**
   * True if a frozen process may still give it its index and then rely on it: it is copied, and stays in
   * place.
   */
  mayGoOn: boolean;
}

export interface PackCheckOptions {
  fs: FileSystem;
  /** `objects/pack`. */
  directory: string;
  /** True if the chain names this commit: then its pack was complete once. */
  isChained(commit: string): Promise<boolean>;
}

/**
 * Reads every pack and every index once and compares their checksums. Packs that vanish meanwhile were
 * merged, and new ones hold objects that were read already. Retired packs come last. They are examined only
 * if the pack into which they were merged is missing, as in a copy of the files, or if a pack is damaged.
 * Throws OutOfTime.
 */
export async function findDamagedPacks(options: PackCheckOptions, run: Run): Promise<DamagedPack[]> {
  const { fs, directory } = options;
  const found = checkedPacks(run);
  if (found.isDone) return found.damaged;
  const checked = new Set(found.checked);
  try {
    const files = new Set(await fs.readdir(directory));
    const names = [...files].flatMap((file) => /^pack-([0-9a-f]{40})\.pack$/.exec(file)?.[1] ?? []);
    const retired = new Map(retiredPacks(files).map((pack) => [pack.name, pack]));
    const isCopy = (name: string) => retired.get(name)?.isElsewhere === true;
    const note = async (name: Oid, damaged: DamagedPack | null) => {
      if (damaged) found.damaged.push(damaged);
      found.checked.push(name);
      await run.step();
    };
    const unchecked = names.filter((name) => !checked.has(name)).sort();
    for (const name of unchecked) {
      if (retired.has(name)) continue;
      const hasIndex = files.has(`pack-${name}.idx`);
      const isFinished = hasIndex || (await options.isChained(name));
      const damaged = await damagedPack(options, run, name, { hasIndex, isFinished });
      if (!isFinished && damaged === null) found.unlinked.push(name);
      await note(name, damaged);
    }
    await readingStored(fs, gitDirectoryOf(directory), async (stored) => {
      for (const name of unchecked) {
        if (!retired.has(name) || (isCopy(name) && found.damaged.length === 0)) continue;
        await note(name, await neededCopy(options, run, stored, name));
      }
    });
  } catch (error) {
    if (error instanceof OutOfTime) throw error;
    throw fileSystemFailure(error, 'Checking the packs', directory);
  }
  found.isDone = true;
  return found.damaged;
}

/**
 * Makes findDamagedPacks look again at the packs without an index that the chain did not name. The chain may
 * name them after its order was restored, and then they hold commits of the wiki.
 */
export function lookAtUnlinkedAgain(run: Run): void {
  const found = checkedPacks(run);
  const unlinked = new Set(found.unlinked);
  found.checked = found.checked.filter((name) => !unlinked.has(name));
  found.unlinked = [];
  found.isDone = false;
}

interface CheckedPacks {
  damaged: DamagedPack[];
  checked: Oid[];
  /**
   * The packs in `checked` that have no index, hold a commit that the chain does not name, and were left
   * alone.
   */
  unlinked: Oid[];
  isDone: boolean;
}

function checkedPacks(run: Run): CheckedPacks {
  const none: CheckedPacks = { damaged: [], checked: [], unlinked: [], isDone: false };
  return run.slot('checked packs', none).value;
}

/** Null if the pack is sound. */
async function damagedPack(
  { fs, directory }: PackCheckOptions,
  run: Run,
  name: Oid,
  { hasIndex, isFinished }: { hasIndex: boolean; isFinished: boolean },
): Promise<DamagedPack | null> {
  const path = join(directory, `pack-${name}`);
  const what = hasIndex
    ? await unlessGone(() => damageOf(fs, run, path))
    : (await unlessGone(() => isNeeded(fs, directory, name, isFinished, run))) && INDEX_MISSING;
  return what ? damagedAs(name, what, !isFinished) : null;
}

/** Null if every readable object of a retired pack can be read elsewhere. */
async function neededCopy(
  { fs, directory }: PackCheckOptions,
  run: Run,
  stored: ObjectReader,
  name: Oid,
): Promise<DamagedPack | null> {
  const isMissed = await unlessGone(() => holdsMissing(fs, directory, name, stored, { run }));
  return isMissed ? damagedAs(name, INDEX_MISSING, false) : null;
}

const INDEX_MISSING = 'its index is missing';

function damagedAs(name: Oid, what: string, mayGoOn: boolean): DamagedPack {
  return { name, text: `The pack objects/pack/pack-${name}.pack is damaged: ${what}.`, mayGoOn };
}

/**
 * True if a pack without an index holds an object that can be read nowhere else. Its writer may have given it
 * an index since it was listed. A merger takes the index of a merged pack, but not the pack, and only after
 * its own pack has an index. A writer's pack that is not chained is either still being written or was
 * abandoned. Throws OutOfTime.
 */
export async function isNeeded(
  fs: FileSystem,
  directory: string,
  name: Oid,
  isChained: boolean,
  run: Run = Run.toItsEnd(),
): Promise<boolean> {
  const path = join(directory, `pack-${name}.pack`);
  if (!isChained && (await readNamingCommit(fs, path, name))) return false;
  return readingStored(fs, gitDirectoryOf(directory), (stored) =>
    holdsMissing(fs, directory, name, stored, { others: isChained ? [name] : [], run }),
  );
}

/**
 * True if a pack without an index holds an object that can be read nowhere else, or if one of `others` is
 * missing. Looks at each object in a step of its own. Throws OutOfTime.
 */
export async function holdsMissing(
  fs: FileSystem,
  directory: string,
  name: Oid,
  stored: ObjectReader,
  { others = [], run = Run.toItsEnd() }: { others?: readonly Oid[]; run?: Run } = {},
): Promise<boolean> {
  const looking = run.slot<{ name: Oid; progress: SalvageProgress } | null>('looking for copies', null);
  const looked = looking.value?.name === name ? looking.value : { name, progress: beginSalvage() };
  looking.value = looked;
  const isMissing = await isLosing(async () => {
    for (const oid of others) await requireStored(stored, oid);
    const objects = salvagePack(fs, join(directory, `pack-${name}`), stored, looked.progress);
    for await (const object of objects) {
      if (object) await requireStored(stored, object.oid);
      await run.step();
    }
  });
  looking.value = null;
  return isMissing;
}

async function isLosing(read: () => Promise<void>): Promise<boolean> {
  try {
    await read();
    return false;
  } catch (error) {
    if (!isLost(error)) throw error;
    return true;
  }
}

function gitDirectoryOf(packDirectory: string): string {
  return dirname(dirname(packDirectory));
}

/** Reads the object. A copy that is too large to be read counts as present. */
async function requireStored(stored: ObjectReader, oid: Oid): Promise<void> {
  try {
    await stored.read(oid);
  } catch (error) {
    if (!isTooLarge(error)) throw error;
  }
}

async function damageOf(fs: FileSystem, run: Run, path: string): Promise<string | null> {
  const checksum = await checksumOfPack(fs, run, `${path}.pack`);
  if (checksum === null) return 'its checksum is wrong';
  const index = await endsWithItsChecksum(fs, run, `${path}.idx`, 2 * CHECKSUM_BYTES);
  if (!index.holds) return 'the checksum of its index is wrong';
  run.slot(PACKED_OBJECTS, 0).value += objectsOf(index.size);
  const isItsIndex = index.ending.toString('hex', 0, CHECKSUM_BYTES) === checksum;
  return isItsIndex ? null : 'its index is that of another pack';
}

/**
 * Null if the pack does not end with its checksum. Keeps the checksum: if a call ends while it reads the index, the
 * next call must not read the whole pack again.
 */
async function checksumOfPack(fs: FileSystem, run: Run, path: string): Promise<string | null> {
  const read = run.slot<{ path: string; checksum: string } | null>('pack that was read', null);
  if (read.value?.path === path) return read.value.checksum;
  const { holds, ending } = await endsWithItsChecksum(fs, run, path, CHECKSUM_BYTES);
  if (!holds) return null;
  const checksum = ending.toString('hex');
  read.value = { path, checksum };
  return checksum;
}

function objectsOf(indexBytes: number): number {
  return Math.floor((indexBytes - OIDS_AT - INDEX_TRAILER_BYTES) / INDEX_ENTRY_BYTES);
}
