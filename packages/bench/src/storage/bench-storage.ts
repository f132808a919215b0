import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { WikiShape } from '../../../../labs/wikis/wiki-text.ts';
import { readOptions } from '../options.ts';
import { jsonOf } from './json.ts';
import { measureLocally } from './local.ts';
import { measureOnNfs } from './on-nfs.ts';
import { localEngines, localLimits } from './plans.ts';
import { engineCommands, indexedWiki, sampleWiki } from './prepare.ts';
import { markdownOf } from './report.ts';
import type { StorageReport } from './results.ts';
import { sampleChanges } from './workload.ts';

/**
 * `pnpm bench storage [--pages N] [--flat] [--nfs] [--directory DIR] [--json]`: reading and writing beside dulwich,
 * pygit2, isomorphic-git and native git's commands, on a local disk, and with `--nfs` on a real NFS mount too.
 * It ends within 15 minutes on two idle cores; what there was no time for is named.
 */
export async function benchStorage(args: readonly string[]): Promise<string> {
  const values = readOptions('storage', args, {
    pages: { type: 'string', default: '10000' },
    flat: { type: 'boolean', default: false },
    nfs: { type: 'boolean', default: false },
    directory: { type: 'string', default: tmpdir() },
    json: { type: 'boolean', default: false },
  });
  const pages = Number(values.pages);
  if (!Number.isInteger(pages) || pages < 100) throw new Error('--pages takes a number from 100 on.');
  const shape: WikiShape = { pages, commits: pages, ...(values.flat && { pagesPerFolder: pages }) };
  const started = Date.now();
  const progress = (line: string) => {
    const seconds = Math.round((Date.now() - started) / 1000);
    process.stderr.write(`${seconds} s: ${line}\n`);
  };
  const wiki = await sampleWiki(shape);
  const changes = await sampleChanges(wiki, shape);
  progress('the wiki is there');
  const { commands, absent } = await engineCommands('local');
  for (const engine of absent) progress(`not measured: ${engine}`);
  const directory = await mkdtemp(SEEN_BY_THE_LAB);
  try {
    const indexed = await indexedWiki(commands.ours ?? [], wiki, directory);
    progress('the index is there');
    const endsAfter = (seconds: number) => started + 1000 * seconds;
    const local = await measureLocally({
      ...localLimits,
      endsAt: endsAfter(values.nfs ? SECONDS.local : SECONDS.all),
      directory: values.directory,
      shape,
      changes,
      engines: localEngines({ commands, wiki, indexed }),
      progress,
    });
    const ends = { counted: endsAfter(SECONDS.counted), delayed: endsAfter(SECONDS.all) };
    const nfs = values.nfs ? await measureOnNfs({ shape, changes, wiki, indexed }, ends, progress) : null;
    const report: StorageReport = { pages, flat: values.flat, absent, local, nfs };
    return values.json ? JSON.stringify(jsonOf(report)) : markdownOf(report);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Seconds since the start, after which no measurement begins, even if a busy machine has measured only a part. */
const SECONDS = { local: 420, counted: 700, all: 800 };
const SEEN_BY_THE_LAB = fileURLToPath(
  new URL('../../../../node_modules/.cache/pagetree-storage-', import.meta.url),
);
