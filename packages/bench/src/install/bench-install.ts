import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startLocalRegistry } from '../../../../labs/local-registry.ts';
import { installPrograms } from '../../../../labs/requirements.ts';
import { buildRelease } from '../../../mcp-server/release/build-release.ts';
import { table } from '../markdown-table.ts';
import { median } from '../median.ts';
import { readOptions } from '../options.ts';
import { openToolClient, type ToolClient } from '../tokens/tool-client.ts';
import { startCachingProxy } from './caching-proxy.ts';
import { makeSlowNetwork, type SlowNetwork } from './slow-network.ts';

const run = promisify(execFile);
const PACKAGE = '@pagetree/mcp-server';

/**
 * `pnpm bench install [--megabits N] [--runs N] [--clone DIRECTORY]`: from nothing to the first answer of a tool, on a
 * slow network, from a clone of the committed state and by npx.
 */
export async function benchInstall(args: readonly string[]): Promise<string> {
  const values = readOptions('install', args, {
    megabits: { type: 'string', default: '20' },
    runs: { type: 'string', default: '3' },
    clone: { type: 'string', default: fileURLToPath(new URL('../../../..', import.meta.url)) },
  });
  const [megabits, runs] = [Number(values.megabits), Number(values.runs)];
  if (!(megabits > 0)) throw new Error('--megabits takes a number above 0.');
  if (!(Number.isInteger(runs) && runs > 0)) throw new Error('--runs takes a whole number above 0.');
  const measured = await measureInstalls({ megabits, runs, repository: values.clone });
  return reportOf(measured, megabits, runs);
}

interface Plan {
  megabits: number;
  runs: number;
  repository: string;
}

/** At most so much. */
interface Aims {
  seconds: number;
  megabytes: number;
}

export interface Installed {
  name: string;
  aims: Aims | null;
  /** One for each run. */
  seconds: number[];
  megabytes: number[];
}

/** Each start has an empty home and empty caches. The first one of each fills the proxy, and is not counted. */
export async function measureInstalls({ megabits, runs, repository }: Plan): Promise<Installed[]> {
  await installPrograms({ ip: 'iproute2', tc: 'iproute2' });
  await using started = new AsyncDisposableStack();
  const place = await mkdtemp(join(tmpdir(), 'pagetree-bench-install-'));
  started.defer(() => rm(place, { recursive: true, force: true }));
  const network = await makeSlowNetwork();
  started.defer(() => network.remove());
  const local = await startLocalRegistry(join(place, 'registry'));
  started.defer(() => local.stop());
  const npm = (await run('npm', ['config', 'get', 'registry'])).stdout.trim();
  const proxy = await startCachingProxy(network.host, npm, { scope: '@pagetree', own: local.address });
  started.defer(() => proxy.close());
  await publish(place, local);
  const machine = { place, network, registry: `http://${network.host}:${proxy.port}/`, repository };
  const ways: [string, Aims | null, Start][] = [
    ['from a clone', { seconds: 25, megabytes: 55 }, startClone],
    ['of which pnpm alone, until it prints its version', null, startPnpm],
    ['by npx', { seconds: 8, megabytes: 12 }, startPackage],
  ];
  const all: Installed[] = [];
  for (const [name, aims, start] of ways) {
    await network.limit(1_000);
    await measure(machine, start);
    await network.limit(megabits);
    const measured: Measured[] = [];
    for (let each = 0; each < runs; each += 1) measured.push(await measure(machine, start));
    all.push({
      ...{ name, aims },
      seconds: measured.map(({ seconds }) => seconds),
      megabytes: measured.map(({ megabytes }) => megabytes),
    });
  }
  return all;
}

interface Machine {
  place: string;
  network: SlowNetwork;
  registry: string;
  repository: string;
}

interface Measured {
  seconds: number;
  megabytes: number;
}

/** Runs what is measured by the words that lead into an empty home. Returns, when it is done, the client to close. */
type Start = (enter: readonly string[], home: string) => Promise<ToolClient | null>;

async function measure({ place, network, registry, repository }: Machine, start: Start): Promise<Measured> {
  const own = await mkdtemp(join(place, 'machine-'));
  const [home, bin] = [join(own, 'home'), join(own, 'bin')];
  await Promise.all([mkdir(home), mkdir(bin)]);
  await symlink(process.execPath, join(bin, 'node'));
  await run('git', ['clone', '--quiet', repository, join(home, 'pagetree')]);
  await writeFile(join(home, '.npmrc'), `registry=${registry}\n`);
  const env = [`HOME=${home}`, `PATH=${bin}:${SYSTEM_PATH}`];
  const before = await network.received();
  const begun = performance.now();
  const client = await start([...network.enter, 'env', '-i', '-C', home, ...env], home);
  const seconds = (performance.now() - begun) / 1_000;
  const megabytes = ((await network.received()) - before) / 1e6;
  await client?.close();
  await rm(own, { recursive: true, force: true });
  return { seconds, megabytes };
}

const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

async function startPnpm([program = '', ...words]: readonly string[]): Promise<null> {
  await run(program, [...words, 'npx', '-y', 'pnpm@12', '--version']);
  return null;
}

function startClone(enter: readonly string[], home: string): Promise<ToolClient> {
  return readHome([...enter, 'npx', '-y', 'pnpm@12', '-C', join(home, 'pagetree'), 'mcp']);
}

function startPackage(enter: readonly string[]): Promise<ToolClient> {
  return readHome([...enter, 'npx', '-y', PACKAGE]);
}

async function readHome(command: readonly string[]): Promise<ToolClient> {
  const client = await openToolClient(command, {});
  const { isError, content } = await client.call('read_page', { path: 'Home' });
  if (isError) throw new Error(`read_page: ${content[0]?.text}`);
  return client;
}

async function publish(place: string, { address, npmrc }: { address: string; npmrc: string }): Promise<void> {
  const { tarball } = await buildRelease(join(place, 'release'));
  const userconfig = join(place, 'npmrc');
  await writeFile(userconfig, npmrc);
  const options = ['--registry', address, '--userconfig', userconfig, '--provenance=false'];
  await run('npm', ['publish', tarball, ...options]);
}

function reportOf(all: readonly Installed[], megabits: number, runs: number): string {
  const rows = all.map(({ name, aims, seconds, megabytes }) => [
    name,
    median(seconds).toFixed(1),
    `${Math.min(...seconds).toFixed(1)} to ${Math.max(...seconds).toFixed(1)}`,
    aims?.seconds ?? '',
    median(megabytes).toFixed(1),
    aims?.megabytes ?? '',
  ]);
  return [
    `From nothing to the first answer of a tool at ${megabits} Mbit/s, ${runs} times each, Node ${process.version}:`,
    '',
    table(['', 'seconds, median', 'from and to', 'at most', 'MB, median', 'at most'], rows),
  ].join('\n');
}
