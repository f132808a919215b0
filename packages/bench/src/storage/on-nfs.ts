import { fileURLToPath } from 'node:url';
import { runInNfsLab } from '../../../../labs/nfs-lab/run-in-lab.ts';
import { COLD_READS, countedEngines, delayedEngines, type EngineSample, mountedLimits } from './plans.ts';
import { engineCommands } from './prepare.ts';
import type { Results, StorageReport } from './results.ts';
import type { Plan } from './round-trips.ts';

/** The measurements on NFS, and their wiki. */
export type NfsSample = Pick<Plan, 'shape' | 'changes'> & Omit<EngineSample, 'commands'>;

/** `ends`: when no more is begun without an added round trip, and with one, in milliseconds since 1970. */
export async function measureOnNfs(
  { shape, changes, ...wikis }: NfsSample,
  ends: { counted: number; delayed: number },
  progress: (line: string) => void,
): Promise<NonNullable<StorageReport['nfs']>> {
  const { commands } = await engineCommands('shared');
  const sample = { ...wikis, commands };
  const run = (engines: Plan['engines'], roundTripMs: number, endsAt: number) => {
    const fixed = { workingPages: shape.pages, unmergedPacks: UNMERGED_PACKS };
    const plan: Plan = { shape, changes, ...mountedLimits, ...fixed, endsAt, engines };
    return runPlan(plan, roundTripMs, (line) => progress(`NFS, +${roundTripMs} ms: ${line}`));
  };
  return {
    counted: await run(countedEngines(sample), 0, ends.counted),
    delayed: await run(delayedEngines(sample), 1, ends.delayed),
  };
}

const UNMERGED_PACKS = 20;

async function runPlan(plan: Plan, roundTripMs: number, progress: (line: string) => void): Promise<Results> {
  const engines = Object.values(plan.engines);
  const program = fileURLToPath(new URL('./round-trips.ts', import.meta.url));
  const { stdout } = await runInNfsLab(['node', program, JSON.stringify(plan)], {
    clients: 2 + COLD_READS * engines.filter(({ counts }) => counts.read_cold).length,
    // Two copies for the engine whose turn it is; what is left of the memory is for the engines.
    diskMib: plan.shape.pages > 20_000 ? 2500 : 1000,
    roundTripMs,
    timeoutSeconds: 900,
    onErrorLine: progress,
  });
  return JSON.parse(stdout);
}
