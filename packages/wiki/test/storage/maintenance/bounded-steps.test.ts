import {
  cpSync,
  existsSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Oid, objectId } from '../../../src/formats/oid.ts';
import { git, temporaryDirectory } from '../../native-git.ts';
import { deleteRetired, livePacks } from '../packs.ts';
import { newWiki, openWriter } from '../writers.ts';
import { inCalls, stepsOf } from './in-calls.ts';
import { workMeter } from './work-meter.ts';

interface LargeWiki {
  directory: string;
  /** The oldest first. */
  commits: readonly Oid[];
  /** The page of each of them. */
  blobs: readonly Oid[];
}

/** Each of them needs as many objects or names as the wiki has pages. */
const DAMAGES: readonly { name: string; isChecked?: false; do(wiki: LargeWiki): void }[] = [
  { name: 'the chain is lost', do: loseChain },
  {
    name: 'the chain is lost, and the branch ref is empty',
    do(wiki) {
      loseChain(wiki);
      writeFileSync(join(wiki.directory, 'refs/heads/main'), '');
    },
  },
  {
    name: 'the chain and a commit in the middle are lost',
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

/** More than any step does, which is to look again at 20 lost objects, and less than one step for all pages. */
const MAX_WORK = 150;
const PAGES = 150;
const STEPS = 30;

describe.each(DAMAGES)('if $name', (damage) => {
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
    expect(work.most()).toBeLessThan(MAX_WORK);
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

test('a repair that made half of the names and lost its progress makes the others as it would have', async () => {
  const wiki = await largeWiki(30);
  loseChain(wiki);
  loseObjects(wiki.directory, [at(wiki, 10)]);
  const copy = copyOf(wiki);
  const open = () => openWriter(wiki.directory, { placement: 'shared' });
  const chain = join(wiki.directory, 'pagetree/chain-main');
  do {
    const { storage } = await open();
    expect(await storage.repairInSteps(stepsOf(4))).toMatchObject({ isFinished: false });
    await storage.close();
  } while (!existsSync(chain) || readdirSync(chain).length === 0);
  rmSync(join(wiki.directory, 'pagetree/runs-main'), { recursive: true });
  const uncut = await openWriter(copy, { placement: 'shared' });
  const { commit } = await uncut.storage.repair();
  const repaired = await (await open()).storage.repair();
  expect(namesOf(wiki.directory, repaired.commit)).toEqual(namesOf(copy, commit));
  expect(Object.keys(namesOf(copy, commit))).toHaveLength(wiki.commits.length);
});

/** Pages that were written once, in that order, and each third of them a second time. */
async function largeWiki(pages: number): Promise<LargeWiki> {
  const directory = await newWiki({ shared: true });
  const { put, storage } = await openWriter(directory, { placement: 'shared' });
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
