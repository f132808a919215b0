import { setTimeout as wait } from 'node:timers/promises';
import { randomNumbers } from '../../../../../labs/wikis/wiki-text.ts';
import { type RaceOptions, type RaceReport, runRace } from '../races/race.ts';
import { type HelperProcess, startHelper } from './helper-process.ts';
import type { MaintainerReport } from './maintainer.ts';
import type { ReaderReport } from './reader.ts';

export interface MaintainedRaceReport {
  race: RaceReport;
  maintainers: MaintainerReport[];
  readers: ReaderReport[];
  /** The number of times that a maintainer or a reader was frozen. */
  frozen: number;
}

const MAINTAINERS = 2;
const READERS = 2;

/**
 * A race of writers beside two who maintain the wiki without a pause, and readers, all frozen at random. A maintenance
 * deletes what it has merged at once, without any grace for readers.
 */
export async function runMaintainedRace(options: RaceOptions): Promise<MaintainedRaceReport> {
  const start = <Report>(name: string, client: number) =>
    startHelper<Report>({
      program: new URL(`./${name}.ts`, import.meta.url),
      directory: options.directory,
      placement: options.placement,
      prefix: options.prefix(client),
    });
  const several = <Report>(name: string, count: number, firstClient: number) =>
    Promise.all(Array.from({ length: count }, (_, at) => start<Report>(name, firstClient + at)));
  const maintainers = await several<MaintainerReport>('maintainer', MAINTAINERS, options.writers + 1);
  const readers = await several<ReaderReport>('reader', READERS, options.writers + 1 + MAINTAINERS);
  const trouble = freezeAtRandom([...maintainers, ...readers], options);
  const race = await runRace(options);
  const frozen = await trouble.end();
  return {
    race,
    maintainers: await Promise.all(maintainers.map((helper) => helper.end())),
    readers: await Promise.all(readers.map((helper) => helper.end())),
    frozen,
  };
}

/** Freezes one after the other, each for as long as a writer, until it is asked to end; reports how often. */
function freezeAtRandom(helpers: readonly HelperProcess<unknown>[], { freezeMs, seed }: RaceOptions) {
  const random = randomNumbers(seed);
  const over = new AbortController();
  let frozen = 0;
  const freezing = (async () => {
    while (!over.signal.aborted) {
      const victim = helpers[Math.floor(random() * helpers.length)];
      await pause(random() * freezeMs, over.signal);
      if (over.signal.aborted) break;
      victim?.freeze();
      frozen += 1;
      await pause(freezeMs, over.signal);
      victim?.thaw();
    }
  })();
  return {
    async end(): Promise<number> {
      over.abort();
      await freezing;
      return frozen;
    },
  };
}

/** Ends early, and quietly, when the race is over. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await wait(milliseconds, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/** For people who want to know how hard it was. */
export function helpOf({ maintainers, readers, frozen }: MaintainedRaceReport): string {
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
  return [
    `${sum(maintainers.map(({ rounds }) => rounds))} maintenances`,
    `${sum(maintainers.map(({ busy }) => busy))} that found the branch locked`,
    `${sum(maintainers.map(({ merged }) => merged))} packs merged`,
    `${sum(maintainers.map((maintainer) => maintainer.garbagePacksRemoved))} packs of lost attempts`,
    `${sum(readers.map(({ reads }) => reads))} reads of ${sum(readers.map(({ commits }) => commits))} heads`,
    `${frozen} freezes of these`,
  ].join(', ');
}
