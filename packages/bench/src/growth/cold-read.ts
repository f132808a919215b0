import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import {
  mountStatisticsBetween,
  parseMountStatistics,
  totalRpcs,
} from '../../../../labs/nfs-lab/mount-statistics.ts';

/**
 * Runs beside the server of nfs-lab, `cold-read.ts REPOSITORY PAGE...`: serves a copy of the repository and
 * prints, as JSON, what it costs a new client on a new mount of its own to
 * read each of the pages.
 */
export interface ColdRead {
  rpcs: number;
  rpcsByKind: Readonly<Record<string, number>>;
  bytesRead: number;
}

const [repository = '', ...pages] = process.argv.slice(2);
execFileSync('cp', ['-r', repository, '/run/srv/wikis/main.git']);
execFileSync('chown', ['-R', '1000:1000', '/run/srv/wikis']);
const program = new URL('./cold-reader.ts', import.meta.url).pathname;
const reads: ColdRead[] = [];
for (const [at, page] of pages.entries()) {
  const client = at + 1;
  const before = statistics(client);
  execFileSync('in-client', [`${client}`, 'node', program, page], { stdio: ['ignore', 'ignore', 'inherit'] });
  const spent = mountStatisticsBetween(before, statistics(client));
  reads.push({ rpcs: totalRpcs(spent), rpcsByKind: spent.rpcs, bytesRead: spent.bytesRead });
}
process.stdout.write(JSON.stringify(reads));

function statistics(client: number) {
  return parseMountStatistics(readFileSync('/proc/self/mountstats', 'utf8'), `/run/efs${client}`);
}
