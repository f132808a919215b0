import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type InvokedWiki, invokeWiki } from '../../../labs/lambda-lab/invoke-wiki.ts';
import { startLambdaLab } from '../../../labs/lambda-lab/lambda-lab.ts';
import { noise } from '../../../labs/noise.ts';
import { randomNumbers } from '../../../labs/wikis/wiki-text.ts';
import { parseInput } from '../../wiki/src/contract/parse-input.ts';
import { copyInRandomOrder } from '../../wiki/test/storage/maintenance/copy-in-random-order.ts';
import { buildFunction, functionDirectory } from '../build.ts';
import { call, persistently } from './persistent-client.ts';

const WRITERS = 3;
/** Written before the nightly maintenance: so many that no writer merges their pack in passing. */
const TIDIED = 45;
const PAGE_BYTES = 6_000;
/** Written between the maintenance and the copy: enough for each writer to merge packs. */
const SINCE = 60;
/** After each file that is copied: the copy takes long enough for some hundred writes and a few merges of packs. */
const PAUSE_MS = 2;

const PACKS_LAST = 'with the packs last';
/** The order in which a backup copies: the files copied last are from a later moment than all others. */
const orders: Record<string, (path: string) => boolean> = {
  'in no order': () => false,
  'with the chain of commits last': (path) => path.includes('/chain'),
  // So long after they were listed that all were merged.
  [PACKS_LAST]: (path) => path.includes('/pack-'),
};
let fileSystem: string;
/** Each page whose write was acknowledged before the copies began. */
let before: string[];

beforeAll(async () => {
  fileSystem = await mkdtemp(join(tmpdir(), 'restore-'));
  await buildFunction();
  await backUpBesideWrites();
});
afterAll(() => rm(fileSystem, { recursive: true, force: true }));

test.each(Object.keys(orders))(
  'a backup taken during writes, %s, is restored, checked, repaired and served as docs/deploy.md says',
  async (order) => {
    const restored = restoredDirectory(order);
    // Without `--restored` the functions refuse the copy, whose marker names the place that it is a copy of.
    const refusing = await serve(restored, {});
    await expect(refusing.wiki.wiki_status({}, call)).rejects.toMatchObject({
      code: 'backend_unavailable',
      text: { happened: expect.stringContaining('they are a copy') },
    });
    await refusing.close();

    const { wiki, close } = await serve(restored, { PAGETREE_RESTORED: 'true' });
    const { problems } = await maintain(wiki, 'check');
    // Links to commits whose packs were not there yet when those were copied.
    if (order !== 'in no order') expect(problems).not.toEqual([]);
    await maintain(wiki, 'repair');
    expect(await maintain(wiki, 'check')).toMatchObject({ problems: [] });
    await wiki.write_page(parseInput('write_page', { path: 'After', content: 'After' }), call);
    // Brings the branch to the end, for native git.
    await wiki.wiki_status({}, call);
    const names = (await git(restored, 'ls-tree', '-r', '--name-only', '-z', 'main')).stdout.split('\0');
    const pages = new Set(names.map((name) => name.replace(/\.md$/, '')));
    expect(['After', ...before].filter((path) => !pages.has(path))).toEqual([]);
    expect((await git(restored, 'fsck', '--strict', '--full', '--no-dangling')).stdout).toBe('');
    await close();

    // The next deployment says nothing of a copy any more.
    const next = await serve(restored, {});
    expect(await next.wiki.wiki_status({}, call)).toMatchObject({ pages: names.length - 1 });
    await next.close();
  },
);

/** Writes, tidies up, and writes on until the copies are complete. */
async function backUpBesideWrites(): Promise<void> {
  const original = join(fileSystem, 'pagetree');
  // The access point makes it.
  await mkdir(original);
  const { wiki, close } = await serve(original, { PAGETREE_MAY_BE_EMPTY: 'true' });
  const acknowledged = new Set<string>();
  const writeUntil = async (writer: string, isEnough: () => boolean) => {
    for (let number = 0; !isEnough(); number += 1) {
      const path = `${writer}/Page ${number}`;
      const content = noise(PAGE_BYTES).toString('base64');
      const input = parseInput('write_page', { path, content, request_id: `${path.replaceAll(' ', '-')}` });
      await persistently(() => wiki.write_page(input, call));
      acknowledged.add(path);
    }
  };
  const writers = (name: string, isEnough: () => boolean) =>
    Promise.all(Array.from({ length: WRITERS }, (_, writer) => writeUntil(`${name} ${writer}`, isEnough)));
  await writers('Early', () => acknowledged.size >= TIDIED);
  await maintain(wiki, 'tidy');
  let copied = false;
  const writing = writers('Late', () => copied);
  while (acknowledged.size < TIDIED + SINCE) await Promise.race([writing, wait(20)]);
  before = [...acknowledged];
  const copy = (order: string, beforeLast?: () => Promise<unknown>) => {
    const seed = Object.keys(orders).indexOf(order);
    const pause = () => wait(PAUSE_MS);
    const to = restoredDirectory(order);
    return copyInRandomOrder(original, to, randomNumbers(seed), pause, orders[order], beforeLast);
  };
  const others = Object.keys(orders).filter((order) => order !== PACKS_LAST);
  await Promise.race([writing, Promise.all(others.map((order) => copy(order)))]);
  await Promise.race([writing, copy(PACKS_LAST, () => maintain(wiki, 'tidy'))]);
  copied = true;
  await writing;
  expect(acknowledged.size).toBeGreaterThan(before.length + WRITERS);
  await close();
}

/** As AWS Backup calls it, which puts the copy beside what is there. */
function restoredDirectory(order: string): string {
  return join(fileSystem, `aws-backup-restore_${order.replaceAll(' ', '-')}`, 'pagetree');
}

/** The function on a directory, with the place that the stack gives it. */
async function serve(directory: string, variables: Record<string, string>) {
  const lab = await startLambdaLab({
    code: functionDirectory,
    // The writers, and maintenance beside them.
    concurrency: WRITERS + 1,
    variables: { PAGETREE_DIR: directory, PAGETREE_PLACE: `fs-1:${directory}`, ...variables },
  });
  const { wiki, close } = invokeWiki(lab);
  return {
    wiki,
    close: async () => {
      close();
      await lab.stop();
    },
  };
}

async function maintain(wiki: InvokedWiki['wiki'], mode: 'check' | 'repair' | 'tidy') {
  for (;;) {
    const answer = await wiki.maintain_wiki(parseInput('maintain_wiki', { mode }), call);
    if (answer.finished) return answer;
  }
}

function git(directory: string, ...args: string[]) {
  return promisify(execFile)('git', ['--git-dir', join(directory, 'main.git'), ...args], {
    maxBuffer: 2 ** 26,
  });
}
