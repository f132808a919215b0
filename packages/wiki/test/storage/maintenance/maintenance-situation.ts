import { symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Oid } from '../../../src/formats/oid.ts';
import { createRepository } from '../../../src/storage/create-repository.ts';
import { nodeFileSystem } from '../../../src/storage/files/node-file-system.ts';
import { nodeHost } from '../../../src/storage/files/node-host.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { openProcess, type Placement } from '../failures/processes.ts';
import { repeatableHost } from '../failures/repeatable-host.ts';
import type { Situation } from '../failures/situations.ts';
import { countingFileSystem } from '../file-systems/counting-file-system.ts';
import { crashingFileSystem } from '../file-systems/crashing-file-system.ts';
import type { FileSystemCall } from '../file-systems/intercepted-file-system.ts';
import { ageRetired } from '../packs.ts';
import { keepBoth, pageRequest, pagesAt } from '../pages.ts';
import { isLink } from '../writers.ts';

const WRITES = 6;
const LONG_AGO = new Date('2020-01-01T00:00:00Z');

/**
 * A maintenance that finds something of everything to do, beside a reader whose packs are all open and a writer that
 * goes on: both must succeed, wherever the maintenance dies.
 */
export function maintenanceOf(placement: Placement): Situation {
  return {
    name: `the maintenance of a ${placement} wiki`,
    placement,
    prepare: neglectedWiki,
    run: async (process) => {
      const { directory, othersFs: fs, acknowledged, others } = process;
      const place = { directory, placement, fs, host: repeatableHost('other') };
      const writer = await openProcess(place);
      const reader = await openStorage({ ...place, cacheBytes: 0, mergeForeign: keepBoth });
      const seen = await everythingOf(reader);
      const maintaining = countingFileSystem(process.fs);
      others.push(
        (async () => {
          await writer.commit(pageRequest('Other.md', 'other', { requestId: 'the-request-of-another' }));
          acknowledged.add('Other.md');
          await writer.close();
          await readUntilQuiet(reader, seen, maintaining.calls);
          await reader.close();
        })(),
      );
      const storage = await openProcess({ ...process, fs: maintaining.fs });
      await storage.tidy();
      await storage.close();
    },
    before: ['Old.md'],
  };
}

/** Small packs, retired ones, that of an attempt that can no longer be linked, and requests and files that are too old. */
async function neglectedWiki(directory: string, placement: Placement): Promise<void> {
  const place = { directory, placement, host: nodeHost() };

  const shared = placement === 'shared';
  await createRepository({ ...place, fs: nodeFileSystem, branch: 'main', shared });
  for (let write = 0; write < WRITES; write += 1) {
    const storage = await openProcess({ ...place, fs: nodeFileSystem });
    await storage.commit(pageRequest('Old.md', `${write}`));
    await storage.close();
    if (write === 1) await leaveRetired(directory, placement);
    if (write === WRITES - 2) await leaveLostAttempt(directory, placement);
  }
  const temporary = join(directory, 'pagetree/temporary/left-over');
  writeFileSync(temporary, '');
  utimesSync(temporary, LONG_AGO, LONG_AGO);
  const bucket = join(directory, 'pagetree/requests-main', '2020-01-01T00');
  await nodeFileSystem.mkdir(bucket);
  symlinkSync('0'.repeat(40), join(bucket, 'old-request'));
}

/** A merge of long ago. */
async function leaveRetired(directory: string, placement: Placement): Promise<void> {
  const storage = await openProcess({ directory, placement, fs: nodeFileSystem, host: nodeHost() });
  await storage.tidy();
  await storage.close();
  ageRetired(directory);
}

/** A process dies just before it links its commit; the next write takes its place. */
async function leaveLostAttempt(directory: string, placement: Placement): Promise<void> {
  const { fs, crashed, release } = crashingFileSystem(nodeFileSystem, { at: isLink, moment: 'before' });
  const storage = await openProcess({ directory, placement, fs, host: nodeHost() });
  void storage.commit(pageRequest('Lost.md', 'lost'));
  await crashed;
  await release();
}

/** Reads all again and again, for the last time after the maintenance has ended or died. */
async function readUntilQuiet(
  reader: Storage,
  oids: readonly Oid[],
  calls: readonly FileSystemCall[],
): Promise<void> {
  for (let before = -1; before !== calls.length; ) {
    before = calls.length;
    for (const oid of oids) await reader.read(oid);
  }
}

/** Every commit, tree and page of the history, read once. */
async function everythingOf(storage: Storage): Promise<Oid[]> {
  const oids: Oid[] = [];
  for (let commit = await storage.head(); commit !== null; ) {
    const text = Buffer.from((await storage.read(commit)).content).toString();
    oids.push(commit, text.slice('tree '.length, 45), ...(await pagesAt(storage, commit)).values());
    commit = /^parent ([0-9a-f]{40})$/m.exec(text)?.[1] ?? null;
  }
  for (const oid of oids) await storage.read(oid);
  return oids;
}
