import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runInNfsLab } from '../../../../labs/nfs-lab/run-in-lab.ts';
import type { WikiShape } from '../../../../labs/wikis/wiki-text.ts';
import { calibrate } from '../index/measure.ts';
import { measureLocally } from './local.ts';
import { engineCommands, sampleWiki } from './prepare.ts';
import { reportOf, type StorageReport } from './report.ts';
import type { Costs, Plan } from './round-trips.ts';

/**
 * `pnpm bench storage [--pages N] [--nfs] [--directory DIR] [--json]`: reading and writing beside dulwich and native
 * git's commands, on a local disk, and with `--nfs` on a real NFS mount too.
 */
export async function benchStorage(args: readonly string[]): Promise<string> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      pages: { type: 'string', default: '10000' },
      nfs: { type: 'boolean', default: false },
      directory: { type: 'string', default: tmpdir() },
      json: { type: 'boolean', default: false },
    },
  });
  const pages = Number(values.pages);
  const shape: WikiShape = { pages, commits: pages };
  const wiki = await sampleWiki(shape);
  const report: StorageReport = {
    pages,
    calibration_ms: await calibrate(),
    engines: await measureEngines(values.directory, wiki, shape),
    nfs: values.nfs ? await measureOnNfs(wiki, shape) : [],
  };
  return values.json ? JSON.stringify(report) : reportOf(report);
}

async function measureEngines(directory: string, wiki: string, shape: WikiShape) {
  const { ours, dulwich, dulwich_by_hand, git } = await engineCommands('local');
  const measure = (command: readonly string[], operations: number, synced = false) =>
    measureLocally({ directory, wiki, shape, command, operations, synced });
  return {
    ours: await measure(ours, 200),
    dulwich: await measure(dulwich, 100),
    dulwich_by_hand: await measure(dulwich_by_hand, 100),
    dulwich_by_hand_synced: await measure(dulwich_by_hand, 50, true),
    git: await measure(git, 30),
    git_synced: await measure(git, 30, true),
  };
}

/** Without and with a round trip of 1 ms. Only ours sees another client's commit each time. */
async function measureOnNfs(wiki: string, shape: WikiShape): Promise<StorageReport['nfs']> {
  const { ours, dulwich, dulwich_by_hand, git } = await engineCommands('shared');
  const nothing = { writesAfterForeign: 0, readsAfterForeign: 0, unmergedPacks: 20 };
  const plan = { wiki, shape, workingPages: shape.pages, coldReads: 3, warmUp: 100 };
  const runs: StorageReport['nfs'] = [];
  for (const roundTripMs of [0, 1]) {
    const own = { ...plan, engines: { ours }, writes: 100, reads: 40, unmergedPacks: 20 };
    const rivals = { ...plan, ...nothing, engines: { dulwich, dulwich_by_hand, git }, writes: 20, reads: 20 };
    const engines = {
      ...(await runPlan({ ...own, writesAfterForeign: 30, readsAfterForeign: 30 }, roundTripMs)),
      ...(await runPlan(rivals, roundTripMs)),
    };
    runs.push({ roundTripMs, engines });
  }
  return runs;
}

async function runPlan(plan: Plan, roundTripMs: number): Promise<Record<string, Costs>> {
  const program = fileURLToPath(new URL('./round-trips.ts', import.meta.url));
  const clients = 2 + plan.coldReads * Object.keys(plan.engines).length;
  // The disk holds two copies for each engine.
  const diskMib = plan.shape.pages > 20_000 ? 3000 : 768;
  const options = { clients, diskMib, timeoutSeconds: 900, ...(roundTripMs > 0 && { roundTripMs }) };
  const { stdout } = await runInNfsLab(['node', program, JSON.stringify(plan)], options);
  return JSON.parse(stdout);
}
