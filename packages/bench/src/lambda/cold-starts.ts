import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseInput, type Wiki } from '@pagetree/wiki/contract';
import { invokeWiki } from '../../../../labs/lambda-lab/invoke-wiki.ts';
import { startLambdaLab } from '../../../../labs/lambda-lab/lambda-lab.ts';
import { nfsDirectory, nfsPlaces } from '../../../../labs/lambda-lab/nfs-places.ts';
import type { Place } from '../../../../labs/lambda-lab/runtime-process.ts';
import { pagePath, randomNumbers } from '../../../../labs/wikis/wiki-text.ts';

/**
 * Measures cold starts of the function and prints them as JSON; its one argument is a Plan as JSON. With `nfs` it is
 * to be run beside the server of nfs-lab, with a client for each start: a new environment has nothing in its cache.
 */
export interface Plan {
  /** A repository made by `buildWiki`, with so many pages. */
  wiki: string;
  pages: number;
  /** Directory of the function's bundle. */
  code: string;
  starts: number;
  nfs: boolean;
}

/** One cold start in milliseconds, part after part; they add up to what the caller waits, but for the way there and back. */
export interface ColdStart {
  /** Starting Node and the runtime client, up to the first line of the bundle. */
  runtime: number;
  import: number;
  open: number;
  /** Between the end of the init phase as the function sees it, and as Lambda sees it. */
  ready: number;
  read: number;
  /** The same without what came before the call: the second read of another page. */
  warmRead: number;
  total: number;
  memoryMib: number;
}

const plan: Plan = JSON.parse(process.argv[2] ?? '');
const random = randomNumbers(11);
const served = plan.nfs ? '/run/srv/wikis' : mkdtempSync(join(tmpdir(), 'cold-starts-'));
execFileSync('cp', ['-r', plan.wiki, join(served, 'main.git')]);
if (plan.nfs) execFileSync('chown', ['-R', '1000:1000', served]);
process.stdout.write(JSON.stringify(await measure()));
if (!plan.nfs) rmSync(served, { recursive: true });

async function measure(): Promise<ColdStart[]> {
  const lines: string[] = [];
  const onClient = nfsPlaces();
  // Lambda has its network before it starts anything.
  const places: Place[] = [];
  for (let client = 0; plan.nfs && client < plan.starts; client += 1) places.push(await onClient(client));
  const lab = await startLambdaLab({
    code: plan.code,
    concurrency: 1,
    variables: { PAGETREE_DIR: plan.nfs ? nfsDirectory : served, PAGETREE_WIKI: 'main' },
    ...(plan.nfs && { places: async () => places.shift() ?? onClient(0) }),
    onLine: (line) => lines.push(line),
  });
  const { wiki, close } = invokeWiki(lab);
  const starts: ColdStart[] = [];
  for (let start = 0; start < plan.starts; start += 1) {
    lines.length = 0;
    await lab.recycle();
    const began = performance.now();
    await read(wiki);
    const total = performance.now() - began;
    await read(wiki);
    starts.push({ ...partsOf(lines), total });
  }
  close();
  await lab.stop();
  return starts;
}

async function read(wiki: Wiki): Promise<void> {
  const path = pagePath(
    { pages: plan.pages, commits: plan.pages },
    Math.floor(random() * plan.pages),
  ).replace(/\.md$/, '');
  const caller = { author: { name: 'A Reader', email: 'reader@example.org' }, agent: null };
  await wiki.read_page(parseInput('read_page', { path }), { caller });
}

/** From what the function logs of its start and its reads, and what Lambda reports of them. */
function partsOf(lines: readonly string[]): Omit<ColdStart, 'total'> {
  const [first, second] = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
  const reports = lines.filter((line) => line.startsWith('REPORT'));
  const init = first.init as { runtime: number; import: number; open: number };
  return {
    runtime: init.runtime,
    import: init.import - init.runtime,
    open: init.open - init.import,
    ready: Number(/Init Duration: ([\d.]+)/.exec(reports[0] ?? '')?.[1]) - init.open,
    read: first.duration,
    warmRead: second.duration,
    memoryMib: Number(/Max Memory Used: (\d+)/.exec(reports[1] ?? '')?.[1]),
  };
}
