import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openWiki } from '@pagetree/wiki';
import { operations } from '@pagetree/wiki/contract';
import { pagePath, randomNumbers, type WikiShape } from '../../../../../labs/wikis/wiki-text.ts';
import { growWiki } from '../../growth/grow.ts';
import { sampleWiki } from '../prepare.ts';

/** A wiki that native git is asked about. */
export interface NativeWiki {
  title: string;
  /** Holds `main.git`, and nothing else that counts. */
  directory: string;
  shape: WikiShape;
}

/** Made by native git in one pack, and then written on by Pagetree. */
export async function importedWiki(directory: string, pages: number): Promise<NativeWiki> {
  const shape = { pages, commits: pages };
  await cp(await sampleWiki(shape), join(directory, 'main.git'), { recursive: true });
  await writeOn(directory, shape, WRITES_SINCE);
  return {
    title: `${pages} pages and commits in one pack of git's, ${WRITES_SINCE} more as Pagetree leaves them`,
    directory,
    shape,
  };
}

/** Begun empty and grown by single writes, with what writers merge in passing and no other maintenance. */
export async function writtenWiki(directory: string, writes: number): Promise<NativeWiki> {
  await mkdir(directory);
  const never = Number.POSITIVE_INFINITY;
  await growWiki({ directory, writes, flat: false, writesPerNight: never }, () => undefined);
  const shape = { pages: Math.floor(writes / 5), commits: writes };
  // Packs that a merge has replaced stay for readers for some seconds; the next merges delete them.
  await setTimeout(READERS_GRACE_MS);
  await writeOn(directory, shape, WRITES_AFTER_GRACE);
  return { title: `${writes} single writes, merged in passing alone`, directory, shape };
}

const WRITES_SINCE = 500;
const READERS_GRACE_MS = 15_000;
const WRITES_AFTER_GRACE = 50;

/** Appends to pages, as a local wiki does. */
export async function writeOn(directory: string, shape: WikiShape, writes: number): Promise<void> {
  const host = { backend: 'bench', versions: {}, problems: [] };
  const call = { caller: { author: { name: 'Bench', email: 'bench@example.org' }, agent: null } };
  const { wiki, settle, close } = await openWiki({ directory, wiki: 'main', placement: 'local', host });
  const random = randomNumbers(5);
  for (let write = 0; write < writes; write += 1) {
    const path = pagePath(shape, Math.floor(random() * shape.pages)).replace(/\.md$/, '');
    await wiki.append_to_page(
      operations.append_to_page.input.parse({ path, content: `A note, number ${write}.\n` }),
      call,
    );
  }
  await settle();
  await close();
}
