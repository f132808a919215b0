import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { WikiError } from '@pagetree/wiki/contract';
import { OWN_FOLDER } from './site-paths.ts';

/** The facts of a static site, which also say that the directory is one. */
export interface SiteMark {
  wiki: string;
  commit: string | null;
}

/**
 * Fills a new directory and puts it in the place of `target`, which stays as it is if anything fails. Refuses a directory
 * that is no static site of ours, or has more in it, such as `.git`.
 * @param name is part of the names beside `target` that are used meanwhile.
 */
export async function replaceDirectory(
  target: string,
  name: string,
  fill: (directory: string) => Promise<SiteMark>,
): Promise<SiteMark> {
  const isThere = await mayReplace(target);
  const beside = (kind: string) => join(dirname(target), `.${basename(target)}.${kind}-${name}`);
  const made = beside('new');
  await mkdir(join(made, OWN_FOLDER), { recursive: true });
  try {
    const mark = await fill(made);
    const entries = (await readdir(made)).toSorted();
    await writeFile(join(made, MARK), `${JSON.stringify({ pagetree: 'site', ...mark, entries }, null, 2)}\n`);
    // Somebody may have put a file there meanwhile.
    await mayReplace(target);
    if (!isThere) await rename(made, target);
    else await swap(made, target, beside('old'));
    return mark;
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

const MARK = join(OWN_FOLDER, 'pagetree.json');

async function swap(made: string, target: string, old: string): Promise<void> {
  await rename(target, old);
  try {
    await rename(made, target);
  } catch (error) {
    await rename(old, target);
    throw error;
  }
  await rm(old, { recursive: true });
}

/** True if there is a directory that may be replaced, false if there is nothing. */
async function mayReplace(target: string): Promise<boolean> {
  let found: string[];
  try {
    found = await readdir(target);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw refusal(`${JSON.stringify(target)} cannot be read as a directory`);
  }
  if (found.length === 0) return true;
  const ours = await entriesOf(target);
  if (ours === null) {
    throw refusal(`The directory ${JSON.stringify(target)} has files, and is no site that Pagetree exported`);
  }
  const other = found.find((entry) => !ours.includes(entry));
  if (other === undefined) return true;
  throw refusal(
    `The directory ${JSON.stringify(target)} also has ${JSON.stringify(other)}, which is not of the export`,
  );
}

async function entriesOf(target: string): Promise<string[] | null> {
  try {
    const { pagetree, entries } = JSON.parse(await readFile(join(target, MARK), 'utf8'));
    return pagetree === 'site' && Array.isArray(entries) ? entries : null;
  } catch {
    // Missing, or of another program.
    return null;
  }
}

function refusal(happened: string): WikiError {
  return new WikiError('already_exists', {
    happened: `${happened}.`,
    now: 'Nothing was written.',
    next: 'Choose a directory that is new or empty, or move what is in this one.',
  });
}
