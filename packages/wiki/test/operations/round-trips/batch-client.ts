import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  mountStatisticsBetween,
  parseMountStatistics,
  totalRpcs,
} from '../../../../../labs/nfs-lab/mount-statistics.ts';
import type { Wiki } from '../../../src/contract/wiki.ts';
import { openWiki } from '../../../src/open-wiki.ts';

/** Runs as a client of nfs-lab and prints, as JSON, the round trips of 200 pages in one commit and one by one. */
const pages = Array.from({ length: 200 }, (_, at) => ({
  path: `Folder ${at % 10}/Page ${at}`,
  content: `# Page ${at}\n\nText of page ${at}.\n`,
}));
const caller = { author: { name: 'Ada Lovelace', email: 'ada@example.org' }, agent: null };

const batch = await measure('batch', async (wiki) => {
  const changes = pages.map((page) => ({ op: 'write' as const, ...page }));
  await wiki.commit_changes({ message: 'All at once', changes, dry_run: false }, { caller });
});
const single = await measure('single', async (wiki) => {
  for (const page of pages) await wiki.write_page({ ...page, allow_shrink: false }, { caller });
});
process.stdout.write(JSON.stringify({ batch, single }));

/** In a new wiki, settled after: everything counts. */
async function measure(name: string, write: (wiki: Wiki) => Promise<void>): Promise<number> {
  const directory = join('/mnt/efs', name);
  mkdirSync(directory);
  const { wiki, settle, close } = await openWiki({
    directory,
    wiki: null,
    placement: 'shared',
    workDirectory: mkdtempSync(join(tmpdir(), 'index-')),
    host: { backend: 'lab', versions: {}, problems: [] },
  });
  await wiki.append_to_page({ path: 'Home', content: 'warm-up', create: true }, { caller });
  await settle();
  const before = read();
  await write(wiki);
  await settle();
  const rpcs = totalRpcs(mountStatisticsBetween(before, read()));
  await close();
  return rpcs;
}

function read() {
  return parseMountStatistics(readFileSync('/proc/self/mountstats', 'utf8'), '/mnt/efs');
}
