import type { Oid } from '@pagetree/wiki/contract';
import type { Expected } from './folder/folder-writer.ts';
import type { Difference, Findings, Sides } from './sides.ts';

/** Brings into the folder what changed in the wiki: first what is gone, which may be in the way of the rest. */
export async function takeAll(
  sides: Sides,
  differences: readonly Difference[],
  findings: Findings,
): Promise<void> {
  const { state } = sides;
  const gone = differences.flatMap(({ key, folder, wiki }) =>
    wiki === null && folder !== null ? { key, folder } : [],
  );
  if (gone.length > 0) {
    state.removing = new Set(gone.map(({ key }) => key));
    // Before they go: after a crash they would look as if the person had deleted them.
    await sides.save();
  }
  for (const { key, folder } of gone) {
    const removed = sides.writer.remove(key, folder);
    if (removed.kind === 'placed') state.files.delete(key);
    else if (removed.kind === 'changed') findings.again = true;
    else findings.leftOut.set(key, removed.reason);
  }
  state.removing.clear();
  const wanted = differences.flatMap(({ key, folder, wiki }) =>
    wiki === null ? [] : [{ ...wiki, key, expected: folder as Expected | null }],
  );
  const byFile = new Map(wanted.map((each) => [each as object, each]));
  await sides.wiki.read(wanted, async (read) => {
    for (let at = 0; at < read.length; at += SYNCED_AT_ONCE) {
      const some = read.slice(at, at + SYNCED_AT_ONCE);
      const prepared = await Promise.allSettled(some.map(({ content }) => sides.writer.prepare(content)));
      for (const [index, result] of prepared.entries()) {
        if (result.status === 'rejected') throw result.reason;
        const file = byFile.get(some[index]?.file ?? {});
        if (file !== undefined) placeOne(sides, file, result.value, findings);
      }
    }
  });
  // The next pass reports them.
  if (wanted.some(({ version }) => sides.wiki.tooLarge.has(version))) findings.again = true;
  await sides.writer.sync();
}

/** Disks sync several files in little more time than one. */
const SYNCED_AT_ONCE = 16;

interface Wanted {
  key: string;
  version: Oid;
  expected: Expected | null;
}

function placeOne(
  sides: Sides,
  { key, version, expected }: Wanted,
  prepared: string,
  findings: Findings,
): void {
  const placed = sides.writer.place(key, prepared, expected);
  if (placed.kind === 'placed') sides.state.files.set(key, { version, stat: placed.stat });
  else if (placed.kind === 'changed') findings.again = true;
  else findings.leftOut.set(key, placed.reason);
}
