import { cpSync, readdirSync, readlinkSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sampled } from '../../../../../labs/sample.ts';
import { type Oid, objectId } from '../../../src/formats/oid.ts';
import { git, temporaryDirectory } from '../../native-git.ts';
import { deleteRetired, livePacks } from '../packs.ts';
import { newWiki, openWriter } from '../writers.ts';
import { inCalls } from './in-calls.ts';
import { workMeter } from './work-meter.ts';

interface LargeWiki {
  directory: string;
  /** The oldest first. */
  commits: readonly Oid[];
  /** The page of each of them. */
  blobs: readonly Oid[];
}

/** Each of them needs as many objects or names as the wiki has pages. */
const DAMAGES: readonly {
  name: string;
  isChecked?: false;
  /** All names are made in one go, each with one call. */
  makesNames?: true;
  do(wiki: LargeWiki): void;
}[] = [
  { name: 'the chain is lost', makesNames: true, do: loseChain },
  {
    name: 'the chain is lost, and the branch ref is empty',
    makesNames: true,
    do(wiki) {
      loseChain(wiki);
      writeFileSync(join(wiki.directory, 'refs/heads/main'), '');
    },
  },
  {
    name: 'the chain and a commit in the middle are lost',
    makesNames: true,
    do(wiki) {
      loseChain(wiki);
      loseObjects(wiki.directory, [at(wiki, wiki.commits.length / 2)]);
    },
  },
  {
    name: 'the first names of the chain are lost',
    do: (wiki) => loseNames(wiki, 0, 3),
  },
  {
    name: 'most of the last names of the chain are lost',
    makesNames: true,
    // On a shared mount the ref counts in a repair only: a check has it follow the chain.
    isChecked: false,
    do: (wiki) => loseNames(wiki, 3, wiki.commits.length),
  },
  {
    name: 'a large pack is there twice, once without an index',
    do({ directory }) {
      const { pack } = largestPack(directory);
      cpSync(pack, join(directory, 'objects/pack', `pack-${'ab'.repeat(20)}.pack`));
    },
  },
  {
    name: 'a large pack has no index',
    do({ directory }) {
      deleteRetired(directory);
      rmSync(largestPack(directory).index);
    },
  },
  {
    name: 'many pages are lost',
    do: ({ directory, blobs }) =>
      loseObjects(
        directory,
        blobs.filter((_, write) => write % 3 === 1),
      ),
  },
];

/** More than any other step does, which is to look again at 20 lost objects, and less than one step for all pages. */
const MAX_WORK = 150;
const PAGES = 150;
const STEPS = 30;

describe.each(
  sampled(
    DAMAGES,
    [...DAMAGES].filter((_, at) => at % 3 === 0),
  ),
)('if $name', (damage) => {
  test('each step of a check and of a repair is bounded, and many calls end as one call', async () => {
    const wiki = await largeWiki(PAGES);
    damage.do(wiki);
    const copy = copyOf(wiki);

    const work = workMeter();
    const open = () => openWriter(wiki.directory, { placement: 'shared', fs: work.fs });
    const check = () => inCalls(open, STEPS, (storage, limits) => work.meter(limits, storage.checkInSteps));
    const checked = damage.isChecked === false ? null : await check();
    expect(work.most()).toBeLessThan(MAX_WORK);
    const repaired = await inCalls(open, STEPS, (storage, limits) =>
      work.meter(limits, storage.repairInSteps),
    );
    expect(work.most()).toBeLessThan(MAX_WORK + (damage.makesNames ? wiki.commits.length : 0));
    expect(work.total()).toBeGreaterThan(8 * MAX_WORK);

    const uncut = await openWriter(copy, { placement: 'shared' });
    if (checked !== null) {
      const found = JSON.stringify(await uncut.storage.check());
      expect(checked.report).toEqual(JSON.parse(found.replaceAll(copy, wiki.directory)));
    }
    const { commit, ...report } = await uncut.storage.repair();
    expect(repaired.report).toEqual({ ...report, commit: commit && expect.any(String) });
    expect(namesOf(wiki.directory, repaired.report.commit)).toEqual(namesOf(copy, commit));
    const { storage } = await openWriter(wiki.directory, { placement: 'shared' });
    expect((await storage.check()).problems).toEqual([]);
    await storage.settle();
    git(wiki.directory, ['fsck', '--strict', '--full', '--no-dangling']);
  });
});

test('a repair that died among the names it made, and lost its progress, makes the others as it would have', async () => {
  const wiki = await largeWiki(30);
  const open = () => openWriter(wiki.directory, { placement: 'shared' });
  loseNames(wiki, 0, 15);
  rmSync(join(wiki.directory, 'pagetree/chain-main', '0'.repeat(40)));
  rmSync(join(wiki.directory, 'pagetree/chain-main/head'), { force: true });
  loseObjects(wiki.directory, [at(wiki, 10)]);
  const { commit } = await (await open()).storage.repair();
  const names = namesOf(wiki.directory, commit);
  expect(Object.keys(names)).toHaveLength(wiki.commits.length);
  expect(names[at(wiki, 9)]).toBe(at(wiki, 10));
});

test.each(['local', 'shared'] as const)(
  'names beyond a gap are no part of a %s chain: no ref, read or write parts it',
  async (placement) => {
    const wiki = await largeWiki(30, placement);
    const open = () => openWriter(wiki.directory, { placement });
    loseNames(wiki, 3, 9);
    rmSync(join(wiki.directory, 'pagetree/chain-main/head'), { force: true });
    if (placement === 'local') {
      for (let look = 0; look < 2; look += 1) {
        const { storage, put } = await open();
        await expect(storage.head()).rejects.toThrow(/last names/);
        await expect(put('New.md', 'New.\n')).rejects.toThrow(/last names/);
        await storage.close().catch(() => {});
      }
    }
    const { storage } = await open();
    expect(await storage.repair()).toMatchObject({ orderRestored: true, lost: [] });
    expect(await storage.head()).toBe(wiki.commits.at(-1));
    expect((await storage.check()).problems).toEqual([]);
  },
);

/** Pages that were written once, in that order, and each third of them a second time. */
async function largeWiki(pages: number, placement: 'local' | 'shared' = 'shared'): Promise<LargeWiki> {
  const directory = await newWiki({ shared: placement === 'shared' });
  const { put, storage } = await openWriter(directory, { placement });
  const commits: Oid[] = [];
  const blobs: Oid[] = [];
  const write = async (page: number, text: string) => {
    const outcome = await put(`Page ${page}.md`, text);
    if (outcome.kind === 'committed') commits.push(outcome.commit);
    blobs.push(objectId('blob', Buffer.from(text)));
  };
  for (let page = 0; page < pages; page += 1) await write(page, `Page ${page}.\n`);
  for (let page = 0; page < pages; page += 3) await write(page, `Page ${page}, again.\n`);
  await storage.settle();
  await storage.close();
  return { directory, commits, blobs };
}

function copyOf({ directory }: LargeWiki): string {
  const copy = join(temporaryDirectory(), 'copy.git');
  cpSync(directory, copy, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  return copy;
}

function loseChain({ directory }: LargeWiki): void {
  rmSync(join(directory, 'pagetree/chain-main'), { recursive: true });
}

function loseNames(wiki: LargeWiki, from: number, to: number): void {
  for (const commit of wiki.commits.slice(from, to)) {
    rmSync(join(wiki.directory, 'pagetree/chain-main', commit), { force: true });
  }
}

function at({ commits }: LargeWiki, place: number): Oid {
  return commits[Math.floor(place)] ?? '';
}

/** All names of the chain and where they lead, without the commit of the repair. */
function namesOf(directory: string, repair: Oid | null): Record<string, string> {
  const chain = join(directory, 'pagetree/chain-main');
  const names = readdirSync(chain).filter((name) => name !== 'head');
  const links = names.map((name) => [name, readlinkSync(join(chain, name))]);
  return Object.fromEntries(links.filter(([, target]) => target !== repair));
}

function largestPack(directory: string): { pack: string; index: string } {
  const paths = livePacks(directory).map((file) => join(directory, 'objects/pack', file));
  const [pack = ''] = paths.sort((a, b) => statSync(b).size - statSync(a).size);
  return { pack, index: pack.replace(/pack$/, 'idx') };
}

/** Packs everything but these objects anew. */
function loseObjects(directory: string, lost: readonly Oid[]): void {
  const packs = join(directory, 'objects/pack');
  const all = git(directory, ['cat-file', '--batch-all-objects', '--batch-check=%(objectname)']).split('\n');
  const aside = join(temporaryDirectory(), 'packs');
  const kept = all.filter((oid) => !lost.includes(oid));
  git(directory, ['pack-objects', '--quiet', join(directory, 'objects/kept')], `${kept.join('\n')}\n`);
  renameSync(packs, aside);
  cpSync(aside, packs, { recursive: true, filter: (path) => !/\.(?:pack|idx)$|merged-/.test(path) });
  for (const file of readdirSync(join(directory, 'objects')).filter((name) => name.startsWith('kept-'))) {
    renameSync(join(directory, 'objects', file), join(packs, file.replace('kept-', 'pack-')));
  }
}
