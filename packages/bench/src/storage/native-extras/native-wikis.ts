import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type OpenedWiki, openWiki } from '@pagetree/wiki';
import { operations } from '@pagetree/wiki/contract';
import { pagePath, pageText, randomNumbers, type WikiShape } from '../../../../../labs/wikis/wiki-text.ts';
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
  const shape = { pages: Math.floor(writes / WRITES_PER_PAGE), commits: writes };
  await mkdir(directory);
  await withWiki(directory, async (wiki) => {
    for (let page = 0; page < shape.pages; page += 1) {
      const input = { path: pageName(shape, page), content: pageText(shape, page, 0) };
      await wiki.write_page(operations.write_page.input.parse(input), call);
    }
  });
  await writeOn(directory, shape, writes - shape.pages);
  // Packs that a merge has replaced stay for readers for some seconds; the next merges delete them.
  await setTimeout(READERS_GRACE_MS);
  await writeOn(directory, shape, WRITES_AFTER_GRACE);
  return { title: `${writes} single writes, merged in passing alone`, directory, shape };
}

const WRITES_SINCE = 500;
const WRITES_PER_PAGE = 5;
const READERS_GRACE_MS = 15_000;
const WRITES_AFTER_GRACE = 50;
const call = { caller: { author: { name: 'Bench', email: 'bench@example.org' }, agent: null } };

/** Appends to pages, as a local wiki does. */
export async function writeOn(directory: string, shape: WikiShape, writes: number): Promise<void> {
  const random = randomNumbers(5);
  await withWiki(directory, async (wiki) => {
    for (let write = 0; write < writes; write += 1) {
      const path = pageName(shape, Math.floor(random() * shape.pages));
      const input = { path, content: `A note, number ${write}.\n` };
      await wiki.append_to_page(operations.append_to_page.input.parse(input), call);
    }
  });
}

async function withWiki(directory: string, use: (wiki: OpenedWiki['wiki']) => Promise<void>): Promise<void> {
  const host = { backend: 'bench', versions: {}, problems: [] };
  const { wiki, settle, close } = await openWiki({ directory, wiki: 'main', placement: 'local', host });
  await use(wiki);
  await settle();
  await close();
}

function pageName(shape: WikiShape, page: number): string {
  return pagePath(shape, page).replace(/\.md$/, '');
}
