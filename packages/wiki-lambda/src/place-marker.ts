import { randomUUID } from 'node:crypto';
import { open, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { WikiError } from '@pagetree/wiki/contract';

/** The place where the wikis of this function must lie, according to the stack. */
export interface ExpectedPlace {
  /** File system and directory, as `fs-0123456789abcdef0:/pagetree`. */
  name: string;
  /** True if the directory may contain no wikis yet: only if it was made together with the stack. */
  mayBeEmpty: boolean;
  /** True if the directory may be a restored copy of another place, which is then taken over. */
  mayBeCopy: boolean;
}

/** In the directory of wikis: the place for which it was set up. */
export const MARKER = 'pagetree-place.json';

/**
 * Verifies that the directory is the one that was set up for this function, before anything is opened or made
 * in it: because of a wrong setting, an empty wiki or an older copy must not be served in place of a full
 * one. Writes the marker if there is none and one may be written.
 *
 * Costs one look-up and read for each environment, and a listing if the directory may not be empty.
 *
 * @throws WikiError `backend_unavailable`
 */
export async function requirePlace(
  directory: string,
  expected: ExpectedPlace,
  { readOnly, now }: { readOnly: boolean; now(): number },
): Promise<void> {
  const found = await readMarker(directory);
  // Checked even if there is a marker: an unfinished restore may have brought it before the wikis.
  if (!expected.mayBeEmpty && !(await holdsWikis(directory))) throw empty(expected.name);
  if (found === expected.name) return;
  if (found !== null && !expected.mayBeCopy) throw copy(expected.name, found);
  if (!readOnly) await writeMarker(directory, expected.name, now());
}

/** @returns The place that the marker names; null if there is no marker. */
async function readMarker(directory: string): Promise<string | null> {
  try {
    const marker: unknown = JSON.parse(await readFile(join(directory, MARKER), 'utf8'));
    if (typeof marker === 'object' && marker !== null && 'place' in marker) return String(marker.place);
    return UNREADABLE;
  } catch (error) {
    if (error instanceof SyntaxError) return UNREADABLE;
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** No place has this name: a damaged marker never counts as the right one. */
const UNREADABLE = 'a marker that cannot be read';

async function holdsWikis(directory: string): Promise<boolean> {
  return (await readdir(directory)).some((name) => name.endsWith('.git'));
}

/** Writes by a temporary file, as environments that start at the same time all write it. */
async function writeMarker(directory: string, place: string, now: number): Promise<void> {
  const temporary = join(directory, `.${MARKER}-${randomUUID()}`);
  const file = await open(temporary, 'wx', 0o644);
  try {
    await file.writeFile(`${JSON.stringify({ place, since: new Date(now).toISOString() })}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, join(directory, MARKER));
}

function empty(place: string): WikiError {
  return new WikiError('backend_unavailable', {
    happened: `The function is set to serve the wikis in ${place}, and there are none.`,
    now: 'Nothing was read, and no empty wiki was made in the place of a full one.',
    next: 'Tell the person who runs the wiki on AWS: if fileSystem.directory is misspelt, correct it and deploy again; if a backup is being restored, wait until it is done. docs/deploy.md has more ("The functions find no wikis").',
  });
}

function copy(place: string, found: string): WikiError {
  return new WikiError('backend_unavailable', {
    happened: `The function is set to serve the wikis in ${place}, but those that lie there were set up as ${found}: they are a copy, or another stack's.`,
    now: 'Nothing was read or changed.',
    next: 'Tell the person who runs the wiki on AWS: if this is the restored backup that is to be served from now on, `pnpm deploy:aws --restored` takes it over; otherwise set fileSystem.directory back.',
  });
}
