import { blobOid } from '@pagetree/wiki/content-hash';
import { limits, type Oid } from '@pagetree/wiki/contract';
import { mergeText } from '@pagetree/wiki/merge-text';
import { conflictName } from './conflict-name.ts';
import type { KnownFile } from './folder/folder-contents.ts';
import type { Placed } from './folder/folder-writer.ts';
import type { Copy, LateSave } from './folder/kept-links.ts';
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
  const versions = `${folder.version} ${wiki.version}`;
  const before = sides.unmergeable.get(key);
  if (before?.versions === versions && sides.now() < before.untilMs) {
    findings.leftOut.set(key, before.reason);
    return;
  }
  const ours = sides.contents.read(folder);
  const theirs = await sides.wiki.readOne(wiki);
  if (ours === null || theirs === null) {
    findings.again = true;
    return;
  }
  const base = sides.state.files.get(key)?.version ?? null;
  const merged = await merge(sides, wiki.path, base, ours, theirs);
  // First the copy: then the text is never in one place alone.
  const copy = merged === null ? await keepCopy(sides, folder.path, ours) : null;
  if (copy !== null && 'reason' in copy) {
    findings.leftOut.set(key, `changed on both sides, and ${copy.reason}`);
    return;
  }
  const outcome = await replace(sides, { key, folder, wiki }, merged ?? theirs, findings);
  if (outcome === 'placed') sides.kept.hold(folder.version, ours, copy);
  const reason = findings.leftOut.get(key);
  if (outcome !== 'impossible' || reason === undefined) findings.again = true;
  else sides.unmergeable.set(key, { versions, reason, untilMs: sides.now() + UNMERGEABLE_MS });
  if (copy === null) return;
  if (outcome === 'placed') sayCopied(sides, key, copy.name);
  // The file has the text still.
  else sides.writer.remove(copy.name, { path: copy.name, version: folder.version });
}

/** Each attempt makes a copy, which is a change in the folder that leads to the next look. */
const UNMERGEABLE_MS = 60_000;

/**
 * Puts the text of both sides into the folder, unless somebody was faster. The wiki's version is agreed on: what differs
 * from it is the person's.
 */
async function replace(
  { writer, state, contents }: Sides,
  { key, folder, wiki }: { key: string; folder: { path: string; version: Oid }; wiki: WikiFile },
  content: Uint8Array,
  findings: Findings,
): Promise<Placed['kind']> {
  const placed = writer.place(key, await writer.prepare(content), folder);
  if (placed.kind === 'impossible') findings.leftOut.set(key, placed.reason);
  if (placed.kind !== 'placed') return placed.kind;
  const version = blobOid(content);
  const isTheirs = version === wiki.version;
  state.files.set(key, { version: wiki.version, stat: isTheirs ? placed.stat : null });
  if (!isTheirs && placed.stat !== null) contents.settle(key, placed.stat, version);
  await writer.sync();
  return placed.kind;
}

/** Null if the changes overlap, or if the file is not text. */
async function merge(
  { wiki }: Sides,
  path: string,
  base: Oid | Uint8Array | null,
  ours: Uint8Array,
  theirs: Uint8Array,
): Promise<Uint8Array | null> {
  if (base === null || Math.max(ours.length, theirs.length) > limits.pageBytes) return null;
  const before = base instanceof Uint8Array ? base : await wiki.readOne({ path, version: base });
  const merged = before === null ? null : mergeText(before, ours, theirs);
  return merged !== null && merged.length <= limits.pageBytes ? merged : null;
}

/**
 * Takes in what a program wrote into a file that the mirror had just replaced.
 * @returns false if the text is nowhere else yet; else the conflict copy that has it, or null if the file has it.
 */
export async function takeLateSave(
  sides: Sides,
  { contents }: Look,
  { key, base, content, copy: before, waitedMs }: LateSave,
  findings: Findings,
): Promise<Copy | null | false> {
  const file = sides.scan.files.get(key);
  const agreed = sides.state.files.get(key);
  if (file === undefined && agreed === undefined) {
    const placed = sides.writer.place(key, await sides.writer.prepare(content), null);
    if (placed.kind === 'placed') {
      findings.again = true;
      await sides.writer.sync();
      return null;
    }
  }
  const isAgreed = !contents.changed.has(key) && !contents.waiting.has(key);
  if (file !== undefined && agreed !== undefined && isAgreed) {
    const wiki = { path: key, version: agreed.version };
    const theirs = await sides.wiki.readOne(wiki);
    const merged = theirs === null ? null : await merge(sides, key, base, content, theirs);
    if (merged !== null) {
      const folder: KnownFile = { ...file, version: agreed.version };
      if ((await replace(sides, { key, folder, wiki }, merged, findings)) === 'placed') {
        findings.again = true;
        return null;
      }
    }
  } else if (file !== undefined && waitedMs < MAX_WAIT_MS) return false;
  const copy = await keepCopy(sides, file?.path ?? key, content, before);
  if ('reason' in copy) {
    findings.leftOut.set(key, `it was saved while it was replaced, and ${copy.reason}`);
    return false;
  }
  if (copy.name !== before?.name) sayCopied(sides, key, copy.name);
  findings.again = true;
  return copy;
}

/** Until then the file itself will mostly have come in step. */
const MAX_WAIT_MS = 30_000;

/**
 * Keeps a text as a file of its own beside another one, or returns the reason why that cannot be. It replaces the copy of
 * an earlier text, unless somebody has changed that.
 */
async function keepCopy(
  sides: Sides,
  path: string,
  content: Uint8Array,
  before: Copy | null = null,
): Promise<Copy | { reason: string }> {
  const { writer, contents, author } = sides;
  const version = blobOid(content);
  if (before !== null) {
    const { name } = before;
    const expected = { path: name, version: before.version };
    const placed = writer.place(name, await writer.prepare(content), expected);
    if (placed.kind === 'placed') {
      await writer.sync();
      return { name, version };
    }
  }
  for (let number = 1; ; number += 1) {
    const name = conflictName(path, new Date(sides.now()), author, number);
    const placed = writer.place(name, await writer.prepare(content), null);
    if (placed.kind === 'changed' && number < MAX_COPIES) continue;
    if (placed.kind !== 'placed') {
      const reason = placed.kind === 'changed' ? 'all its names are taken' : placed.reason;
      return { reason: `the conflict copy ${JSON.stringify(name)} could not be made: ${reason}` };
    }
    if (placed.stat !== null) contents.settle(name.normalize('NFC'), placed.stat, version);
    await writer.sync();
    return { name, version };
  }
}

function sayCopied({ say }: Sides, key: string, copy: string): void {
  say(
    `${JSON.stringify(key)} changed here and in the wiki, in the same lines. It has the wiki's text now; yours is beside it, in ${JSON.stringify(copy)}.`,
  );
}

const MAX_COPIES = 1_000;
