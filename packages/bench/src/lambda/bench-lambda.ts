import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { installRuntimeClient } from '../../../../labs/lambda-lab/runtime-client.ts';
import { runInNfsLab } from '../../../../labs/nfs-lab/run-in-lab.ts';
import { buildFunction, functionDirectory } from '../../../wiki-lambda/build.ts';
import { table } from '../markdown-table.ts';
import { readOptions } from '../options.ts';
import { sampleWiki } from '../storage/prepare.ts';
import { FAR_MS, reportColdStarts } from './cold-start-report.ts';
import type { ColdStart, Plan, PlannedStart } from './cold-starts.ts';
import { measureOverhead, type Overhead } from './overhead.ts';

const run = promisify(execFile);

/**
 * `pnpm bench lambda [--pages N] [--starts N] [--calls N]`: size of the function, its cold starts on a local disk and
 * on NFS, and what MCP, the envelope and Invoke add to an operation.
 */
export async function benchLambda(args: readonly string[]): Promise<string> {
  const values = readOptions('lambda', args, {
    pages: { type: 'string', default: '10000' },
    starts: { type: 'string', default: '10' },
    calls: { type: 'string', default: '200' },
  });
  await Promise.all([buildFunction(), installRuntimeClient()]);
  const [pages, starts] = [Number(values.pages), Number(values.starts)];
  const local = await coldStarts(pages, times(starts, [{ roundTripMs: null, way: 'whole' }]));
  const nfs = await coldStarts(pages, [
    // In turn, so that whatever else the machine does meets both alike.
    ...times(starts, [
      { roundTripMs: 0, way: 'whole' },
      { roundTripMs: 1, way: 'whole' },
    ]),
    ...times(3, [
      { roundTripMs: 0, way: 'parted' },
      { roundTripMs: FAR_MS, way: 'parted' },
    ]),
  ]);
  const overhead = await measureOverhead(Number(values.calls));
  return [sizeOf(), '', reportColdStarts(local, nfs, pages), '', reportOverhead(overhead)].join('\n');
}

function times(count: number, starts: readonly PlannedStart[]): PlannedStart[] {
  return Array.from({ length: count }, () => starts).flat();
}

/** The first start of all, which finds a wiki that nobody has opened yet, is left out. */
async function coldStarts(pages: number, planned: readonly PlannedStart[]): Promise<ColdStart[]> {
  const program = fileURLToPath(new URL('./cold-starts.ts', import.meta.url));
  const [first] = planned;
  if (first === undefined) return [];
  const starts = [first, ...planned];
  const wiki = await sampleWiki({ pages, commits: pages });
  const plan: Plan = { wiki, pages, code: functionDirectory, starts };
  const command = ['node', program, JSON.stringify(plan)];
  const { stdout } =
    first.roundTripMs === null
      ? await run(process.execPath, command.slice(1))
      : await runInNfsLab(command, { clients: starts.length, timeoutSeconds: 900 });
  return JSON.parse(stdout).slice(1);
}

function sizeOf(): string {
  const bundle = readFileSync(`${functionDirectory}/index.mjs`);
  return `Bundle: ${bundle.byteLength} bytes, ${gzipSync(bundle).byteLength} compressed`;
}

function reportOverhead(overhead: Overhead): string {
  const ways = Object.entries(overhead).map(([way, timing]) => [way, timing.median_ms, timing.p95_ms]);
  return ['One read of a page, by each way to it:', '', table(['ms', 'median', 'p95'], ways)].join('\n');
}
