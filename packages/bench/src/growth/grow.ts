import { execFileSync } from 'node:child_process';
import { cpSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type OpenedWiki, openWiki } from '@pagetree/wiki';
import { operations } from '@pagetree/wiki/contract';
import { changedPage, pagePath, pageText, type WikiShape } from '../../../../labs/wikis/wiki-text.ts';

/** A wiki that begins empty and grows by single writes, with the maintenance that it has on AWS. */
export interface GrowthPlan {
  /** Holds the wiki `main`; on a RAM disk a sync costs nothing. */
  directory: string;
  writes: number;
  /** Every page lies in one folder. */
  flat: boolean;
  /** So many writes lie between two nightly maintenances. */
  writesPerNight: number;
}

/** The state of the repository after a night. */
export interface Night {
  writes: number;
  /** The most that lay there since the night before. */
  mostPacks: number;
  packsBefore: number;
  packsAfter: number;
  /** The size of `objects/`, without packs that were merged and are kept for a day. */
  bytesBefore: number;
  bytesAfter: number;
}

export interface Growth {
  nights: Night[];
  /** Packs in `objects/` at the end, after so many writes since the last night that as many packs as usual lie there. */
  packs: number;
  /** The size of `objects/`, without packs that were merged and are kept for a day. */
  bytes: number;
  /** Merged packs, which are kept for a day. */
  retired: Stored;
  /** The size after `git gc` of the same history. */
  gcBytes: number;
  /** The chain, the requests and the saved index, which git does not have. */
  ownBytes: number;
  /** Every page, and how many writes there were since it was written last. */
  pages: { path: string; age: number }[];
}

interface Stored {
  packs: number;
  bytes: number;
}

const PAGES_PER_FOLDER = 200;
/** Each page is written so often in the mean. */
const WRITES_PER_PAGE = 5;
/** An execution environment lives for so many writes; then another one comes, which knows nothing. */
const WRITES_PER_PROCESS = 130;
const call = { caller: { author: { name: 'Bench', email: 'bench@example.org' }, agent: null } };

export async function growWiki(plan: GrowthPlan, progress: (line: string) => void): Promise<Growth> {
  const { directory, writes, writesPerNight } = plan;
  const shape = shapeOf(plan);
  const repository = join(directory, 'main.git');
  const nights: Night[] = [];
  let mostPacks = 0;
  let opened = await open(directory);
  const versions = new Map<number, { version: string; changes: number; write: number }>();
  for (let write = 1; write <= writes; write += 1) {
    const page = write <= shape.pages ? write - 1 : changedPage(shape, write);
    const before = versions.get(page);
    const changes = before === undefined ? 0 : before.changes + 1;
    const input = { path: nameOf(shape, page), content: pageText(shape, page, changes) };
    const version = await writePage(opened, { ...input, ...(before && { version: before.version }) });
    versions.set(page, { version, changes, write });
    if (write % PACKS_SAMPLED === 0) mostPacks = Math.max(mostPacks, packsIn(repository));
    // Between nights, so that the last one is followed by a day, as a cold client may find it.
    if (write % writesPerNight === Math.floor(writesPerNight / 2)) {
      nights.push({ ...(await tidy(opened, repository)), writes: write, mostPacks });
      letADayPass(repository);
      mostPacks = 0;
      progress(nightLine(nights.at(-1)));
    }
    if (write % WRITES_PER_PROCESS === 0) {
      await opened.close();
      opened = await open(directory);
    }
  }
  await opened.close();
  return {
    nights,
    packs: packsIn(repository),
    bytes: liveBytes(repository),
    retired: retiredIn(repository),
    gcBytes: bytesAfterGc(repository, join(directory, 'collected')),
    ownBytes: bytesBelow(join(repository, 'pagetree')),
    pages: [...versions].map(([page, { write }]) => ({ path: nameOf(shape, page), age: writes - write })),
  };
}

const PACKS_SAMPLED = 10;

function shapeOf({ writes, flat }: GrowthPlan): WikiShape {
  const pages = Math.max(1, Math.floor(writes / WRITES_PER_PAGE));
  return { pages, commits: writes, pagesPerFolder: flat ? Number.POSITIVE_INFINITY : PAGES_PER_FOLDER };
}

function open(directory: string): Promise<OpenedWiki> {
  const host = { backend: 'bench', versions: {}, problems: [] };
  return openWiki({ directory, wiki: 'main', placement: 'shared', host });
}

function nameOf(shape: WikiShape, page: number): string {
  return pagePath(shape, page).replace(/\.md$/, '');
}

/** Answers the version that it wrote. */
async function writePage(
  { wiki }: OpenedWiki,
  input: { path: string; content: string; version?: string },
): Promise<string> {
  const { version } = await wiki.write_page(operations.write_page.input.parse(input), call);
  return version ?? '';
}

async function tidy({ wiki, settle }: OpenedWiki, repository: string) {
  await settle();
  const [packsBefore, bytesBefore] = [packsIn(repository), liveBytes(repository)];
  await wiki.maintain_wiki(operations.maintain_wiki.input.parse({}), call);
  const [packsAfter, bytesAfter] = [packsIn(repository), liveBytes(repository)];
  return { packsBefore, packsAfter, bytesBefore, bytesAfter };
}

function packsIn(repository: string): number {
  return readdirSync(join(repository, 'objects/pack')).filter((file) => file.endsWith('.idx')).length;
}

function liveBytes(repository: string): number {
  return bytesBelow(join(repository, 'objects')) - retiredIn(repository).bytes;
}

/** Packs that were merged, with the markers that they have in place of an index. */
function retiredIn(repository: string): Stored {
  const packs = join(repository, 'objects/pack');
  const markers = readdirSync(packs).filter((file) => MARKER.test(file));
  const files = markers.flatMap((marker) => [marker, marker.replace(/\.merged-.*/, '.pack')]);
  const bytes = files.reduce((sum, file) => sum + lstatSync(join(packs, file)).size, 0);
  return { packs: markers.length, bytes };
}

const MARKER = /^pack-.*\.merged-/;

/** Makes what was merged until now a day older. */
function letADayPass(repository: string): void {
  const packs = join(repository, 'objects/pack');
  for (const file of readdirSync(packs).filter((name) => MARKER.test(name))) {
    const [, name, hour, into] = /^(.*\.merged-)(.{13})(-.*)$/.exec(file) ?? [];
    const earlier = new Date(Date.parse(`${hour}:00Z`) - DAY_MS).toISOString().slice(0, 13);
    renameSync(join(packs, file), join(packs, `${name}${earlier}${into}`));
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;

function bytesBelow(directory: string): number {
  let bytes = 0;
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) bytes += lstatSync(join(entry.parentPath, entry.name)).size;
  }
  return bytes;
}

function bytesAfterGc(repository: string, copy: string): number {
  cpSync(repository, copy, { recursive: true, verbatimSymlinks: true });
  execFileSync('git', ['-C', copy, 'fsck', '--strict', '--no-dangling', '--no-progress'], {
    stdio: 'ignore',
  });
  execFileSync('git', ['-C', copy, 'gc', '--quiet', '--prune=now']);
  const bytes = bytesBelow(join(copy, 'objects'));
  rmSync(copy, { recursive: true });
  return bytes;
}

function nightLine(night: Night | undefined): string {
  if (!night) return '';
  const { writes, packsBefore, packsAfter, bytesBefore, bytesAfter } = night;
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
  return `${writes} writes: ${packsBefore} -> ${packsAfter} packs, ${megabytes(bytesBefore)} -> ${megabytes(bytesAfter)} MB`;
}
