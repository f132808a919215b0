import { once } from 'node:events';
import { createRepository } from '../../../src/storage/create-repository.ts';
import { nodeFileSystem } from '../../../src/storage/files/node-file-system.ts';
import { nodeHost } from '../../../src/storage/files/node-host.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { keepBoth } from '../pages.ts';

/**
 * The frame of a process that works beside the writers of a race, `PROGRAM.ts DIRECTORY PLACEMENT`:
 * opens the wiki, prints its process id, takes turns until its standard input ends, and prints what `report` says.
 */
export async function helpInARace(
  cacheBytes: number,
  turn: (storage: Storage) => Promise<void>,
  report: () => unknown,
): Promise<void> {
  const [directory = '', placement = 'local'] = process.argv.slice(2);
  const shared = placement === 'shared';
  const place = { fs: nodeFileSystem, host: nodeHost(), directory };
  await createRepository({ ...place, branch: 'main', shared });
  const storage = await openStorage({
    ...place,
    placement: shared ? 'shared' : 'local',
    cacheBytes,
    mergeForeign: keepBoth,
  });
  let isEnded = false;
  const ended = once(process.stdin.resume(), 'end').then(() => {
    isEnded = true;
  });
  process.stdout.write(`${process.pid}\n`);
  while (!isEnded) await turn(storage);
  await ended;
  await storage.close();
  process.stdout.write(`${JSON.stringify(report())}\n`);
}
