import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import {
  mountStatisticsBetween,
  parseMountStatistics,
  totalRpcs,
} from '../../../../labs/nfs-lab/mount-statistics.ts';

/**
 * Runs beside the server of nfs-lab, `cold-read.ts REPOSITORY READER PAGE...`: serves a copy of the repository and
 * prints, as JSON, what it costs a new client on a new mount of its own to read each of the pages with the program
 * READER, from the start of its process until it has the page.
 */
export interface ColdRead {
  rpcs: number;
  rpcsByKind: Readonly<Record<string, number>>;
  bytesRead: number;
}

const [repository = '', reader = '', ...pages] = process.argv.slice(2);
execFileSync('cp', ['-r', repository, '/run/srv/wikis/main.git']);
execFileSync('chown', ['-R', '1000:1000', '/run/srv/wikis']);
const reads: ColdRead[] = [];
for (const [at, page] of pages.entries()) reads.push(await readAs(at + 1, page));
process.stdout.write(JSON.stringify(reads));

async function readAs(client: number, page: string): Promise<ColdRead> {
  const before = statistics(client);
  const child = spawn('in-client', [`${client}`, 'node', reader, page], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  await Promise.race([
    once(child.stdout, 'data'),
    ended.then(() => Promise.reject(new Error(`No ${page}.`))),
  ]);
  // Before it ends: an execution environment is frozen after its answer, and closes no file.
  const spent = mountStatisticsBetween(before, statistics(client));
  child.stdin.end();
  await ended;
  return { rpcs: totalRpcs(spent), rpcsByKind: spent.rpcs, bytesRead: spent.bytesRead };
}

function statistics(client: number) {
  return parseMountStatistics(readFileSync('/proc/self/mountstats', 'utf8'), `/run/efs${client}`);
}
