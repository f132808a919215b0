import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openWiki } from '@pagetree/wiki';
import {
  type Call,
  callOperation,
  type Output,
  type RemoteSettings,
  WikiError,
} from '@pagetree/wiki/contract';
import { expect, onTestFinished, test } from 'vitest';
import { sampled } from '../../../labs/sample.ts';
import { testRandom } from '../../../labs/seeded-random.ts';
import { git, temporaryDirectory } from '../../wiki/test/native-git.ts';
import { keepInSync } from '../src/keep-in-sync.ts';
import { Syncing } from '../src/syncing.ts';
import { emptyRepository } from './transport/repositories.ts';
import { type Fault, httpRemote, serveRepository } from './transport/served-repository.ts';

/** Five minutes in full runs. */
const SECONDS = sampled(300, 8);
const WRITERS = 3;
const PAGES = 12;
const DAY_MS = 24 * 3_600_000;
/** `refused` too: git refuses a push while it collects its garbage. */
const OF_THE_NETWORK = ['in_step', 'unreachable', 'timeout', 'broken', 'refused'];

test(
  'two wikis in sync through one remote over a network that is cut at random lose no write, and become equal',
  async () => {
    const bare = emptyRepository();
    git(bare, ['config', 'http.receivepack', 'true']);
    const random = testRandom();
    const network = { cuts: 0, calls: 0, isWhole: false };
    const served = await serveRepository(bare, cutAtRandom(network, random));
    const wikis = await Promise.all(['one', 'other'].map((name) => openSynced(name, served.url, random)));
    const until = Date.now() + SECONDS * 1_000;

    const writers = wikis.flatMap((wiki) =>
      Array.from({ length: WRITERS }, (_, number) => write(wiki, number, random, () => Date.now() < until)),
    );
    const acknowledged = (await Promise.all(writers)).flat();

    network.isWhole = true;
    await expect.poll(() => equalHeads(wikis, bare), { interval: 250 }).toBe(true);
    for (const wiki of wikis) await wiki.end();
    const head = await wikis[0]?.head();
    const reached = new Set(git(bare, ['rev-list', String(head)]).split('\n'));
    expect(acknowledged.filter((commit) => !reached.has(commit))).toEqual([]);
    for (const directory of [bare, ...wikis.map(({ repository }) => repository)]) {
      git(directory, ['fsck', '--strict', '--no-dangling']);
    }
    const figures = `${acknowledged.length} acknowledged writes, none lost; ${network.cuts} of ${network.calls} calls cut`;
    process.stdout.write(`${SECONDS} s: ${figures}; ${reached.size} commits in the end\n`);
    expect(wikis.flatMap(({ ownFailures }) => ownFailures)).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan(10);
    expect(network.cuts).toBeGreaterThan(0);
  },
  // `git fsck` reads the packs of thousands of writes.
  SECONDS * 1_000 + 900_000,
);

/** Cuts a third of the calls: before the server has seen them, after it, or in the middle of the answer. */
function cutAtRandom(
  network: { cuts: number; calls: number; isWhole: boolean },
  random: () => number,
): Fault {
  return async ({ request, response, real }) => {
    network.calls += 1;
    if (network.isWhole || random() > 1 / 3) return undefined;
    network.cuts += 1;
    const place = random();
    if (place < 1 / 3) return cut(request);
    const { status, headers, body } = await real();
    if (place < 2 / 3) return cut(request);
    response.writeHead(status, headers);
    response.write(body.subarray(0, Math.floor(random() * body.length)));
    return cut(request);
  };
}

function cut(request: { socket: { destroy(): void } }): Promise<never> {
  request.socket.destroy();
  return new Promise(() => {});
}

interface SyncedWiki {
  name: string;
  repository: string;
  /** The words of syncs that ended for another reason than the network. */
  ownFailures: string[];
  head(): Promise<string | null>;
  write(path: string, content: string): Promise<string>;
  end(): Promise<void>;
}

async function openSynced(name: string, url: string, random: () => number): Promise<SyncedWiki> {
  const directory = temporaryDirectory();
  const repository = join(directory, 'test.git');
  git(directory, ['init', '--quiet', '--bare', '--initial-branch=main', repository]);
  const host = { backend: 'local', versions: {}, problems: [] };
  const { wiki, close } = await openWiki({ directory, wiki: 'test', placement: 'local', host });
  const call: Call = { caller: { author: { name, email: `${name}@example.org` }, agent: null } };
  const remote: RemoteSettings = { url, mode: 'two-way', branch: null, every_ms: 1_000, token_from: null };
  await callOperation(wiki, 'set_remote', { remote }, call);
  const ownFailures: string[] = [];
  const stop = new AbortController();
  const syncing = new Syncing({
    ...{ wiki, name: null, call, now: Date.now, random },
    open: () => ({ shown: url, remote: httpRemote(url, { limits: { idleMs: 2_000 } }) }),
  });
  const kept = keepInSync({
    ...{ syncing, lookEveryMs: 100, signal: stop.signal, random },
    // Failures wait for seconds, which makes the test long and no better.
    now: () => Date.now() + DAY_MS,
    changed: ({ state, words }) => {
      if (!OF_THE_NETWORK.includes(state)) ownFailures.push(words);
    },
    failed: (error) => {
      throw error;
    },
  });
  onTestFinished(async () => {
    stop.abort();
    await close();
  });
  return {
    name,
    repository,
    ownFailures,
    head: () => syncing.head(),
    async write(path, content) {
      const page = (await callOperation(wiki, 'read_page', { path }, call).catch(
        () => null,
      )) as Output<'read_page'> | null;
      const version = page === null ? {} : { version: page.version };
      const written = await callOperation(wiki, 'write_page', { path, content, ...version }, call);
      return (written as Output<'write_page'>).commit ?? '';
    },
    async end() {
      stop.abort();
      await kept;
    },
  };
}

/** The commits that were acknowledged. */
async function write(
  wiki: SyncedWiki,
  number: number,
  random: () => number,
  goesOn: () => boolean,
): Promise<string[]> {
  const commits: string[] = [];
  for (let count = 0; goesOn(); count += 1) {
    const path = `Page ${Math.floor(random() * PAGES)}`;
    const lines = Array.from({ length: 10 }, (_, line) => `Line ${line} of ${path}.`);
    lines[Math.floor(random() * 10)] = `Writer ${number} of ${wiki.name}, ${count}.`;
    try {
      const commit = await wiki.write(path, `${lines.join('\n')}\n`);
      if (commit !== '') commits.push(commit);
    } catch (error) {
      if (!(error instanceof WikiError) || !['version_conflict', 'already_exists'].includes(error.code))
        throw error;
    }
    await pause(20 + random() * 80);
  }
  return commits;
}

async function equalHeads(wikis: readonly SyncedWiki[], bare: string): Promise<boolean> {
  const heads = new Set(await Promise.all(wikis.map((wiki) => wiki.head())));
  return heads.size === 1 && heads.has(git(bare, ['rev-parse', '--verify', '--quiet', 'main']));
}
