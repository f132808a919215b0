import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** The files `pack-....pack` that have an index. Merged ones lie there without one for a day. */
export function livePacks(directory: string): string[] {
  const files = readdirSync(join(directory, 'objects/pack')).filter((file) => file.endsWith('.idx'));
  return files.map((file) => file.replace(/idx$/, 'pack'));
}

/** Makes merged packs as old as if they had been merged in 2020. */
export function ageRetired(directory: string): void {
  const packs = join(directory, 'objects/pack');
  for (const file of readdirSync(packs)) {
    const aged = file.replace(/\.merged-.{13}-/, '.merged-2020-01-01T00-');
    if (aged !== file) renameSync(join(packs, file), join(packs, aged));
  }
}

/** Deletes the packs that were merged, as maintenance does after a day. */
export function deleteRetired(directory: string): void {
  const packs = join(directory, 'objects/pack');
  for (const file of readdirSync(packs)) {
    const [, name] = /^(pack-.*)\.merged-/.exec(file) ?? [];
    if (name === undefined) continue;
    for (const gone of [`${name}.pack`, file]) rmSync(join(packs, gone), { force: true });
  }
}
