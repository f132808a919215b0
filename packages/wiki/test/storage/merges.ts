import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseMergeNote } from '../../src/storage/packs/push-note.ts';
import { pagePush } from './pushes.ts';
import type { Writer } from './writers.ts';

/** A commit from elsewhere that adds a page, beside the head of the wiki. */
export async function diverged({ storage, put }: Writer, message?: string) {
  const { commit: from } = (await put('Old.md', 'old')) as { commit: string };
  const given = await pagePush(storage, from, 'Theirs.md', 'theirs', message);
  const { commit: head } = (await put('Ours.md', 'ours')) as { commit: string };
  return { given, head };
}

/** The `.keep` files of merges. */
export function keptForMerges(directory: string): string[] {
  const folder = join(directory, 'objects/pack');
  const files = readdirSync(folder).filter((file) => file.endsWith('.keep'));
  return files.filter((file) => parseMergeNote(readFileSync(join(folder, file), 'utf8')) !== null);
}
