import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runInNfsLab } from '../../../../labs/nfs-lab/run-in-lab.ts';
import type { WikiShape } from '../../../../labs/wikis/wiki-text.ts';
import { jsonOf } from './json.ts';
import { measureLocally } from './local.ts';
import {
  COLD_READS,
  countedEngines,
  delayedEngines,
  localEngines,
  localLimits,
  mountedLimits,
} from './plans.ts';
import { engineCommands, sampleWiki } from './prepare.ts';
import { markdownOf } from './report.ts';
import type { Results, StorageReport } from './results.ts';
import type { Plan } from './round-trips.ts';
import { sampleChanges } from './workload.ts';

/**
 * `pnpm bench storage [--pages N] [--flat] [--nfs] [--directory DIR] [--json]`: reading and writing beside dulwich,
 * pygit2, isomorphic-git and native git's commands, on a local disk, and with `--nfs` on a real NFS mount too.
 */
export async function benchStorage(args: readonly string[]): Promise<string> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      pages: { type: 'string', default: '10000' },
      flat: { type: 'boolean', default: false },
      nfs: { type: 'boolean', default: false },
      directory: { type: 'string', default: tmpdir() },
      json: { type: 'boolean', default: false },
    },
  });
  const pages = Number(values.pages);
  if (!Number.isInteger(pages) || pages < 100) throw new Error('--pages takes a number from 100 on.');
  const shape: WikiShape = { pages, commits: pages, ...(values.flat && { pagesPerFolder: pages }) };
  const started = Date.now();
  const progress = (line: string) => {
    const seconds = Math.round((Date.now() - started) / 1000);
    process.stderr.write(`${seconds} s: ${line}\n`);
  };
  const wiki = await sampleWiki(shape);
  const changes = await sampleChanges(wiki, shape);
  progress('the wiki is there');
  const { commands, absent } = await engineCommands('local');
  for (const engine of absent) progress(`not measured: ${engine}`);
  const local = await measureLocally({
    ...localLimits,
    endsAt: started + 1000 * (values.nfs ? SECONDS_WITH_NFS.local : SECONDS_WITHOUT_NFS),
    directory: values.directory,
    wiki,
    shape,
    changes,
    engines: localEngines(commands),
    progress,
  });
  const nfs = values.nfs ? await measureOnNfs({ wiki, shape, changes }, started, progress) : null;
  const report: StorageReport = { pages, flat: values.flat, absent, local, nfs };
  return values.json ? JSON.stringify(jsonOf(report)) : markdownOf(report);
}

/** Since the start: with NFS all is done within 15 minutes, also where a machine is too busy to measure everything. */
const SECONDS_WITH_NFS = { local: 300, counted: 620, delayed: 800 };
const SECONDS_WITHOUT_NFS = 7200;

async function measureOnNfs(
  sample: Pick<Plan, 'wiki' | 'shape' | 'changes'>,
  started: number,
  progress: (line: string) => void,
): Promise<NonNullable<StorageReport['nfs']>> {
  const { commands } = await engineCommands('shared');
  const { counted, delayed } = SECONDS_WITH_NFS;
  const run = (engines: Plan['engines'], roundTripMs: number, seconds: number) => {
    const limits = { ...mountedLimits, endsAt: started + 1000 * seconds };
    const plan = { ...sample, ...limits, workingPages: sample.shape.pages, unmergedPacks: 20, engines };
    return runPlan(plan, roundTripMs, (line) => progress(`NFS, +${roundTripMs} ms: ${line}`));
  };
  return {
    counted: await run(countedEngines(commands), 0, counted),
    delayed: await run(delayedEngines(commands), 1, delayed),
  };
}

async function runPlan(plan: Plan, roundTripMs: number, progress: (line: string) => void): Promise<Results> {
  const program = fileURLToPath(new URL('./round-trips.ts', import.meta.url));
  const clients = 2 + (COLD_READS + 1) * Object.keys(plan.engines).length;
  // A copy for each engine, and one more; what is left of the lab's memory is for the engines and the index of ours.
  const diskMib = plan.shape.pages > 20_000 ? 4000 : 1500;
  const { stdout } = await runInNfsLab(['node', program, JSON.stringify(plan)], {
    clients,
    diskMib,
    roundTripMs,
    timeoutSeconds: 900,
    onErrorLine: progress,
  });
  return JSON.parse(stdout);
}
