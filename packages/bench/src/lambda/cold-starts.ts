import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseInput, type Request, WikiError } from '@pagetree/wiki/contract';
import { invokeWiki } from '../../../../labs/lambda-lab/invoke-wiki.ts';
import { startLambdaLab } from '../../../../labs/lambda-lab/lambda-lab.ts';
import { nfsDirectory, nfsPlaces } from '../../../../labs/lambda-lab/nfs-places.ts';
import {
  type MountStatistics,
  mountStatisticsBetween,
  parseMountStatistics,
} from '../../../../labs/nfs-lab/mount-statistics.ts';
import { pagePath, randomNumbers } from '../../../../labs/wikis/wiki-text.ts';

/**
 * Measures cold starts of the function and prints them as JSON; its one argument is a Plan as JSON. On NFS it is to
 * be run beside the server of nfs-lab, with a client for each start: a new environment has nothing in its cache.
 */
export interface Plan {
  /** A repository made by `buildWiki`, with so many pages. */
  wiki: string;
  pages: number;
  /** Directory of the function's bundle. */
  code: string;
  /** In this order. */
  starts: PlannedStart[];
}

export interface PlannedStart {
  /** Added to each round trip to the NFS server; null is the local disk, for all starts of a plan. */
  roundTripMs: number | null;
  /**
   * `whole`: the first call is a read, as a caller would meet it. `parted`: a call that needs no file comes first, so
   * that the round trips of opening and of the first read can be distinguished.
   */
  way: 'whole' | 'parted';
}

/** One cold start in milliseconds, part after part; they add up to what the caller waits, but for the way there and back. */
export interface ColdStart extends PlannedStart {
  /** From the start of Node to the first line of the bundle: Node, the runtime client, and compiling the bundle. */
  runtime: number;
  /** Evaluating the bundle. */
  import: number;
  /** The directory of wikis; a wiki itself is opened by the first call that needs it. */
  open: number;
  /** The rest of Lambda's init phase: starting the process, and requesting the first event. */
  rest: number;
  read: number;
  /** The same without what came before the call: the second read of another page. */
  warmRead: number;
  total: number;
  memoryMib: number;
  /** The requests of each part to the server if a start is `parted`, else null. */
  asked: { open: MountStatistics; read: MountStatistics } | null;
}

const plan: Plan = JSON.parse(process.argv[2] ?? '');
const random = randomNumbers(11);
const onNfs = plan.starts[0]?.roundTripMs !== null;
const served = onNfs ? '/run/srv/wikis' : mkdtempSync(join(tmpdir(), 'cold-starts-'));
execFileSync('cp', ['-r', plan.wiki, join(served, 'main.git')]);
if (onNfs) execFileSync('chown', ['-R', '1000:1000', served]);
process.stdout.write(JSON.stringify(await measure()));
if (!onNfs) rmSync(served, { recursive: true });

async function measure(): Promise<ColdStart[]> {
  const lines: string[] = [];
  let client = 0;
  const onClient = nfsPlaces();
  // Lambda has its network before it starts anything.
  for (let slot = 0; onNfs && slot < plan.starts.length; slot += 1) await onClient(slot);
  const lab = await startLambdaLab({
    code: plan.code,
    concurrency: 1,
    variables: { PAGETREE_DIR: onNfs ? nfsDirectory : served, PAGETREE_WIKI: 'main' },
    ...(onNfs && { places: () => onClient(client) }),
    onLine: (line) => lines.push(line),
  });
  const { wiki, close } = invokeWiki(lab, { change: (request) => change(request) });
  let change = (request: Request): Request => request;
  const read = async () => {
    const caller = { author: { name: 'A Reader', email: 'reader@example.org' }, agent: null };
    await wiki.read_page(parseInput('read_page', { path: randomPage() }), { caller });
  };
  /** Any call starts an environment; this one the wiki refuses before it looks at a file. */
  const callForNothing = async () => {
    change = (request) => ({ ...request, operation: 'nothing' });
    await read().catch((error: unknown) => {
      if (!(error instanceof WikiError)) throw error;
    });
    change = (request) => request;
  };

  const starts: ColdStart[] = [];
  for (const planned of plan.starts) {
    await lab.recycle();
    lines.length = 0;
    if (onNfs) delayOf(client, planned.roundTripMs ?? 0);
    let asked: ColdStart['asked'] = null;
    const began = performance.now();
    if (planned.way === 'parted') {
      const open = await askedBy(client, callForNothing);
      asked = { open, read: await askedBy(client, read) };
    } else {
      await read();
    }
    const total = performance.now() - began;
    await read();
    starts.push({ ...planned, ...partsOf(lines), total, asked });
    client += 1;
  }
  close();
  await lab.stop();
  return starts;
}

function randomPage(): string {
  const shape = { pages: plan.pages, commits: plan.pages };
  return pagePath(shape, Math.floor(random() * plan.pages)).replace(/\.md$/, '');
}

/** On the client's own wire, so that starts near and far can take turns in one lab. Clients of the lab count from 1. */
function delayOf(client: number, roundTripMs: number): void {
  execFileSync(
    'tc',
    `qdisc replace dev v${client + 1} root netem delay ${roundTripMs}ms limit 100000`.split(' '),
  );
}

async function askedBy(client: number, call: () => Promise<void>): Promise<MountStatistics> {
  const read = () =>
    parseMountStatistics(readFileSync('/proc/self/mountstats', 'utf8'), `/run/efs${client + 1}`);
  const earlier = read();
  await call();
  return mountStatisticsBetween(earlier, read());
}

/** From what the function logs of its start and its reads, and what Lambda reports of them. */
function partsOf(lines: readonly string[]): Omit<ColdStart, keyof PlannedStart | 'total' | 'asked'> {
  const logged = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
  const [first, second] = logged.filter(({ operation }) => operation === 'read_page');
  const reports = lines.filter((line) => line.startsWith('REPORT'));
  const init = logged[0].init as { runtime: number; import: number; open: number };
  return {
    runtime: init.runtime,
    import: init.import - init.runtime,
    open: init.open - init.import,
    rest: Number(/Init Duration: ([\d.]+)/.exec(reports[0] ?? '')?.[1]) - init.open,
    read: first.duration,
    warmRead: second.duration,
    memoryMib: Number(/Max Memory Used: (\d+)/.exec(reports.at(-1) ?? '')?.[1]),
  };
}
