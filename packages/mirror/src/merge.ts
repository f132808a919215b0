import { blobOid } from '@pagetree/wiki/content-hash';
import { limits, type Oid } from '@pagetree/wiki/contract';
import { mergeText } from '@pagetree/wiki/merge-text';
import { conflictName } from './conflict-name.ts';
import type { KnownFile } from './folder/folder-contents.ts';
import type { LateSave } from './folder/kept-links.ts';
import type { WikiFile } from './names/placeable-files.ts';
import type { Difference, Findings, Look, Sides } from './sides.ts';

/**
 * Brings together a file that both sides changed. Where the changes overlap, the file has the wiki's text, and the
 * folder's is kept beside it.
 */
export async function mergeBoth(
  sides: Sides,
  { key, folder, wiki }: Difference,
  findings: Findings,
): Promise<void> {
  if (folder === null || wiki === null) return;
  const ours = sides.contents.read(folder);
  const theirs = await sides.wiki.readOne(wiki);
  findings.again = true;
  if (ours === null || theirs === null) return;
  const base = sides.state.files.get(key)?.version ?? null;
  const merged = await merge(sides, wiki.path, base, ours, theirs);
  // First the copy: then the text is never in one place alone.
  if (merged === null) await keepCopy(sides, key, folder.path, ours);
  await replace(sides, { key, folder, wiki }, merged ?? theirs, findings);
}

/** Puts the text of both sides into the folder. The wiki's version is agreed on: what differs from it is the person's. */
async function replace(
  { writer, state, contents }: Sides,
  { key, folder, wiki }: { key: string; folder: { path: string; version: Oid }; wiki: WikiFile },
  content: Uint8Array,
  findings: Findings,
): Promise<void> {
  const placed = writer.place(key, await writer.prepare(content), folder);
  if (placed.kind === 'impossible') findings.leftOut.set(key, placed.reason);
  if (placed.kind !== 'placed') return;
  const version = blobOid(content);
  const isTheirs = version === wiki.version;
  state.files.set(key, { version: wiki.version, stat: isTheirs ? placed.stat : null });
  if (!isTheirs && placed.stat !== null) contents.settle(key, placed.stat, version);
  await writer.sync();
}

/** Null if the changes overlap, or if the file is not text. */
async function merge(
  { wiki }: Sides,
  path: string,
  base: Oid | null,
  ours: Uint8Array,
  theirs: Uint8Array,
): Promise<Uint8Array | null> {
  if (base === null || Math.max(ours.length, theirs.length) > limits.pageBytes) return null;
  const before = await wiki.readOne({ path, version: base });
  const merged = before === null ? null : mergeText(before, ours, theirs);
  return merged !== null && merged.length <= limits.pageBytes ? merged : null;
}

/** Takes in what a program wrote into a file that the mirror had just replaced. */
export async function takeLateSave(
  sides: Sides,
  { scan, contents }: Look,
  { key, base, content }: LateSave,
  findings: Findings,
): Promise<void> {
  findings.again = true;
  const file = scan.files.get(key);
  const agreed = sides.state.files.get(key);
  if (file === undefined && agreed === undefined) {
    const placed = sides.writer.place(key, await sides.writer.prepare(content), null);
    if (placed.kind === 'placed') return sides.writer.sync();
  }
  const isAgreed = !contents.changed.has(key) && !contents.waiting.has(key);
  if (file !== undefined && agreed !== undefined && isAgreed) {
    const wiki = { path: key, version: agreed.version };
    const theirs = await sides.wiki.readOne(wiki);
    const merged = theirs === null ? null : await merge(sides, key, base, content, theirs);
    if (merged !== null) {
      const folder: KnownFile = { ...file, version: agreed.version };
      return replace(sides, { key, folder, wiki }, merged, findings);
    }
  }
  await keepCopy(sides, key, file?.path ?? key, content);
}

/** Keeps a text as a file of its own beside another one, and tells the person. */
async function keepCopy(sides: Sides, key: string, path: string, content: Uint8Array): Promise<void> {
  const { writer, contents, say, author } = sides;
  for (let number = 1; ; number += 1) {
    const name = conflictName(path, new Date(sides.now()), author, number);
    const placed = writer.place(name, await writer.prepare(content), null);
    if (placed.kind === 'changed' && number < MAX_COPIES) continue;
    if (placed.kind !== 'placed')
      throw new Error(`The conflict copy ${JSON.stringify(name)} could not be made`);
    if (placed.stat !== null) contents.settle(name.normalize('NFC'), placed.stat, blobOid(content));
    await writer.sync();
    say(
      `${JSON.stringify(key)} changed here and in the wiki, in the same lines. It has the wiki's text now; yours is beside it, in ${JSON.stringify(name)}.`,
    );
    return;
  }
}

const MAX_COPIES = 1_000;
