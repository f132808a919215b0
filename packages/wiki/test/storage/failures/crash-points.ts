import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sampled } from '../../../../../labs/sample.ts';
import { createRepository } from '../../../src/storage/create-repository.ts';
import type { FileSystem } from '../../../src/storage/files/file-system.ts';
import { nodeFileSystem } from '../../../src/storage/files/node-file-system.ts';
import { nodeHost } from '../../../src/storage/files/node-host.ts';
import { temporaryDirectory } from '../../native-git.ts';
import { type CrashPoint, crashingFileSystem } from '../file-systems/crashing-file-system.ts';
import type { Loss } from '../file-systems/disk.ts';
import type { FileSystemCall } from '../file-systems/intercepted-file-system.ts';
import { powerCutFileSystem } from '../file-systems/power-cut-file-system.ts';
import { expectClean, expectSound } from './aftermath.ts';
import { openJudgedStates } from './judged-states.ts';
import { copyWiki, disturbed } from './processes.ts';
import { repeatableHost } from './repeatable-host.ts';
import type { Situation } from './situations.ts';

/**
 * `changing`: the process dies before each call that changes anything, and in the middle of each write; a call
 * that only reads leaves what the call before it left. `all`: before, in the middle of and after every call.
 */
export type Extent = 'changing' | 'all';

/** The number of crashes and of different states that they left. Of equal states one is judged. */
export interface Crashes {
  points: number;
  states: number;
}

/** Crashes the situation's process at each of its calls, and judges the state that it leaves. */
export async function crashAtEachCall(situation: Situation, extent: Extent): Promise<Crashes> {
  const { placement } = situation;
  const template = join(temporaryDirectory(), 'wiki.git');
  await situation.prepare(template, placement);
  const directory = temporaryDirectory();
  const judged = openJudgedStates();
  const points = await crashEverywhere(extent, async (point) => {
    const wiki = join(directory, `${point.at}-${point.moment}.git`);
    copyWiki(template, wiki);
    const process = disturbed(wiki, placement, nodeFileSystem);
    const call = await runUntilCrash(nodeFileSystem, point, (fs) => situation.run({ ...process, fs }));
    await Promise.all(process.others);
    if (!isJudged(extent, call) || !judged.isNew(wiki, process.acknowledged)) return call;
    if (!situation.isDamaged) expectClean(wiki);
    await expectSound(wiki, situation, process.acknowledged);
    return call;
  });
  return { points, states: judged.count };
}

/**
 * The same, with a power cut at each crash, so that a part of the unsynced changes is lost. Judges the state
 * after each of the losses.
 */
export async function cutPowerAtEachCall(
  situation: Situation,
  extent: Extent,
  losses: readonly Loss[],
): Promise<Crashes> {
  const template = join(temporaryDirectory(), 'wiki.git');
  await situation.prepare(template, situation.placement);
  const directory = temporaryDirectory();
  const judged = openJudgedStates();
  const points = await crashEverywhere(extent, async (point) => {
    const name = join(directory, `${point.at}-${point.moment}`);
    copyWiki(template, `${name}.git`);
    const { fs: accounted, disk } = powerCutFileSystem(nodeFileSystem, `${name}.git`);
    const process = disturbed(`${name}.git`, situation.placement, accounted);
    const call = await runUntilCrash(accounted, point, (fs) => situation.run({ ...process, fs }));
    await Promise.all(process.others);
    if (!isJudged(extent, call)) return call;
    for (const [number, loss] of losses.entries()) {
      const wiki = `${name}-${number}.git`;
      disk.writeAfter(loss, wiki);
      if (!judged.isNew(wiki, process.acknowledged)) continue;
      if (!situation.isDamaged) expectClean(wiki);
      await expectSound(wiki, situation, process.acknowledged);
    }
    return call;
  });
  return { points: points * losses.length, states: judged.count };
}

/** The same for the making of a repository. */
export async function crashTheCreation(extent: Extent): Promise<Crashes> {
  const directory = temporaryDirectory();
  const judged = openJudgedStates();
  const points = await crashEverywhere(extent, async (point) => {
    const wiki = join(directory, `${point.at}-${point.moment}.git`);
    const options = { directory: wiki, branch: 'main', shared: false };
    const call = await runUntilCrash(nodeFileSystem, point, async (fs) => {
      await createRepository({ ...options, fs, host: repeatableHost('disturbed') });
    });
    const exists = existsSync(wiki);
    if (!isJudged(extent, call) || (exists && !judged.isNew(wiki, new Set()))) return call;
    if (exists) expectClean(wiki);
    await createRepository({ ...options, fs: nodeFileSystem, host: nodeHost() });
    await expectSound(wiki, { placement: 'local', before: [] }, new Set());
    return call;
  });
  return { points, states: judged.count };
}

function isJudged(extent: Extent, call: FileSystemCall | null): boolean {
  return extent === 'all' || call === null || call.changes;
}

/** The sample takes some of the calls. */
const EVERY = sampled(1, 3);

async function crashEverywhere(
  extent: Extent,
  crash: (point: CrashPoint) => Promise<FileSystemCall | null>,
): Promise<number> {
  let points = 0;
  for (let at = 0; ; at += EVERY) {
    const call = await crash({ at, moment: 'before' });
    if (call === null) return points;
    const moments: CrashPoint['moment'][] = [];
    if (call.name === 'write') moments.push('torn');
    if (extent === 'all') moments.push('after');
    for (const moment of moments) await crash({ at, moment });
    points += moments.length + (isJudged(extent, call) ? 1 : 0);
  }
}

/** Runs a process that dies at a point. Returns the call at which it died, or null if it ended before. */
async function runUntilCrash(
  whole: FileSystem,
  point: CrashPoint,
  run: (fs: FileSystem) => Promise<void>,
): Promise<FileSystemCall | null> {
  const { fs, crashed, release } = crashingFileSystem(whole, point);
  const call = await Promise.race([crashed, run(fs).then(() => null)]);
  await release();
  return call;
}
