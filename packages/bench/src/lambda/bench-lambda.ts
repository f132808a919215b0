import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { runInNfsLab } from '../../../../labs/nfs-lab/run-in-lab.ts';
import { buildFunction, functionDirectory } from '../../../wiki-lambda/build.ts';
import { sampleWiki } from '../storage/prepare.ts';
import type { ColdStart, Plan } from './cold-starts.ts';
import { measureOverhead, type Overhead } from './overhead.ts';

const run = promisify(execFile);

/**
 * `pnpm bench lambda [--pages N] [--starts N] [--calls N]`: size of the function, its cold starts on a local disk and
 * on NFS at a round trip of 1 ms, and what MCP, the envelope and Invoke add to an operation.
 */
export async function benchLambda(args: readonly string[]): Promise<string> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      pages: { type: 'string', default: '10000' },
      starts: { type: 'string', default: '10' },
      calls: { type: 'string', default: '200' },
    },
  });
  await buildFunction();
  const pages = Number(values.pages);
  const wiki = await sampleWiki({ pages, commits: pages });
  const plan = { wiki, pages, code: functionDirectory, starts: Number(values.starts) };
  const local = await coldStarts({ ...plan, nfs: false });
  const nfs = await coldStarts({ ...plan, nfs: true });
  const overhead = await measureOverhead(Number(values.calls));
  return reportOf(pages, local, nfs, overhead);
}

async function coldStarts(plan: Plan): Promise<ColdStart[]> {
  const program = fileURLToPath(new URL('./cold-starts.ts', import.meta.url));
  const command = ['node', program, JSON.stringify(plan)];
  if (plan.nfs) {
    const options = { clients: plan.starts, roundTripMs: 1, timeoutSeconds: 900 };
    return JSON.parse((await runInNfsLab(command, options)).stdout);
  }
  return JSON.parse((await run(process.execPath, command.slice(1))).stdout);
}

function reportOf(pages: number, local: ColdStart[], nfs: ColdStart[], overhead: Overhead): string {
  const bundle = readFileSync(`${functionDirectory}/index.mjs`);
  const row = (label: string, part: keyof ColdStart) =>
    `| ${label} | ${told(local, part)} | ${told(nfs, part)} |`;
  const ways = Object.entries(overhead).map(
    ([way, timing]) => `| ${way} | ${timing.median_ms} | ${timing.p95_ms} |`,
  );
  return [
    `Bundle: ${bundle.byteLength} bytes, ${gzipSync(bundle).byteLength} compressed`,
    '',
    `Cold starts, median of ${local.length} and the least, ${pages} pages, 512 MB:`,
    '',
    '| ms | local disk | NFS, +1 ms |',
    '| --- | --- | --- |',
    row('runtime', 'runtime'),
    row('import', 'import'),
    row('open', 'open'),
    row('ready', 'ready'),
    row('first read', 'read'),
    row('all, as the caller sees it', 'total'),
    row('second read', 'warmRead'),
    row('peak memory, MiB', 'memoryMib'),
    '',
    'One read of a page, by each way to it:',
    '',
    '| ms | median | p95 |',
    '| --- | --- | --- |',
    ...ways,
  ].join('\n');
}

/** The median, and in brackets the least: what else a machine does makes a start slower, never faster. */
function told(starts: readonly ColdStart[], part: keyof ColdStart): string {
  const sorted = starts.map((start) => start[part]).toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  return `${median.toFixed(0)} (${(sorted[0] ?? Number.NaN).toFixed(0)})`;
}
