import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { WikiError } from '../../src/contract/errors.ts';
import type { Push } from '../../src/core/transport-port.ts';
import type { PackBytes } from '../../src/formats/packs/pack.ts';
import { indexPush } from '../../src/git/received/push/index-push.ts';
import { bareRepository, git, temporaryDirectory } from '../native-git.ts';
import { Pusher } from '../pusher.ts';
import { openWriter } from '../storage/writers.ts';
import { type ObjectHeap, packOf } from './bundles.ts';

/** A page long enough for deltas. */
export const LONG_PAGE = Array.from({ length: 200 }, (_, at) => `Line ${at} of a page that is long.\n`).join(
  '',
);
const PUSHED_ONTO = { 'A.md': LONG_PAGE, 'in/B.md': 'b', 'in/deep/C.md': 'c' };

/** A wiki with a clone of it, and what the wiki makes of a push. */
export async function openedForPush(files: Record<string, string | Uint8Array> = PUSHED_ONTO) {
  const wiki = bareRepository();
  const pusher = new Pusher(wiki);
  pusher.commit(files);
  const writer = await openWriter(wiki);
  const from = (await writer.storage.head()) ?? '';
  const entries = (commit: string): Record<string, string> =>
    Object.fromEntries(
      git(wiki, ['ls-tree', commit])
        .split('\n')
        .map((line) => [line.split('\t')[1] ?? '', line.split(/\s/)[2] ?? '']),
    );
  const index = (push: Push) => indexPush(push, writer.storage);
  return { wiki, writer, from, pusher: Pusher.cloneOf(wiki), index, entries };
}

export function packOfHeap(heap: ObjectHeap): Buffer {
  return packOf(heap.objects.map(({ type, content }) => ({ kind: type, content })));
}

/** The objects of a pack as native git finds them by our index; the pack is whole in itself. */
export function oidsIn({ packBytes, indexBytes }: PackBytes): string[] {
  const file = join(temporaryDirectory(), 'ours.pack');
  writeFileSync(file, packBytes);
  writeFileSync(file.replace('.pack', '.idx'), indexBytes);
  const mine = readFileSync(file.replace('.pack', '.idx'));
  const found = oidsInFile(file);
  execFileSync('git', ['index-pack', file.replace('.pack', '.pack'), '-o', file.replace('.pack', '.git')]);
  expect(mine.equals(readFileSync(file.replace('.pack', '.git')))).toBe(true);
  return found;
}

export function oidsInFile(file: string): string[] {
  const listed = execFileSync('git', ['verify-pack', '-v', file.replace('.pack', '.idx')]).toString();
  return [...listed.matchAll(/^([0-9a-f]{40}) /gm)].map(([, oid]) => oid ?? '').sort();
}

/** The error of a push that must be refused. */
export async function refusalOf(pushing: Promise<unknown>): Promise<WikiError> {
  const error = await pushing.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof WikiError)) throw new Error(`It was not refused: ${error}`);
  return error;
}
