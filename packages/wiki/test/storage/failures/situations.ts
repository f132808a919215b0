import { existsSync, readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createRepository } from '../../../src/storage/create-repository.ts';
import { nodeFileSystem } from '../../../src/storage/files/node-file-system.ts';
import { nodeHost } from '../../../src/storage/files/node-host.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { git } from '../../native-git.ts';
import { crashingFileSystem } from '../file-systems/crashing-file-system.ts';
import type { FileSystemCall } from '../file-systems/intercepted-file-system.ts';
import { livePacks } from '../packs.ts';
import { pageRequest } from '../pages.ts';
import { merge, mergeAfterLosing, mergeAgain } from './merging-processes.ts';
import {
  endedHost,
  openProcess,
  PAGE,
  type Placement,
  type Process,
  REQUEST,
  writeByAnother,
} from './processes.ts';
import { push, pushAfterLosing } from './pushing-processes.ts';

/** An action of a process that may be interrupted or fail at each of its file-system calls. */
export interface Situation {
  name: string;
  placement: Placement;
  /** Brings a wiki into the state in which the process begins. */
  prepare: (directory: string, placement: Placement) => Promise<void>;
  run: (process: Process) => Promise<void>;
  /** Pages that are there before and must stay. */
  before: readonly string[];
  /** The next call of the same kind, after the disturbance. */
  again?: (storage: Storage) => Promise<void>;
  /** Native git finds fault with the state in which the process begins. */
  isDamaged?: boolean;
}

/** The fewest packs of processes that have ended which a writer merges in passing. With more, one of those would. */
const PACKS_TO_MERGE = 10;

export const SITUATIONS: readonly Situation[] = [
  {
    name: 'the first write of a wiki',
    placement: 'local',
    prepare: emptyWiki,
    run: write,
    before: [],
  },
  {
    name: 'a write and the move of its ref',
    placement: 'local',
    prepare: wikiWithPages,
    run: write,
    before: ['Old.md'],
  },
  {
    name: 'the second write of a process',
    placement: 'local',
    prepare: wikiWithPages,
    run: writeWithSpares,
    before: ['Old.md'],
  },
  {
    name: 'a write on a shared mount',
    placement: 'shared',
    prepare: wikiWithPages,
    run: write,
    before: ['Old.md'],
  },
  {
    name: 'a write that loses its first race',
    placement: 'local',
    prepare: wikiWithPages,
    run: writeAfterLosing,
    before: ['Old.md'],
  },
  {
    name: 'a write into a repository that native git made',
    placement: 'local',
    prepare: async (directory) => {
      git('/', ['init', '--quiet', '--bare', '--initial-branch=main', directory]);
      commitNatively(directory, 'Old.md', []);
    },
    run: write,
    before: ['Old.md'],
  },
  {
    name: 'the adoption of a push',
    placement: 'local',
    prepare: async (directory, placement) => {
      await wikiWithPages(directory, placement);
      commitNatively(directory, 'Pushed.md', ['main']);
    },
    run: write,
    before: ['Old.md', 'Pushed.md'],
  },
  {
    name: 'the adoption of a push beside a write',
    placement: 'local',
    prepare: async (directory, placement) => {
      await wikiWithPages(directory, placement);
      commitNatively(directory, 'Pushed.md', ['main~1']);
    },
    run: write,
    before: ['Old.md', 'Pushed.md'],
  },
  {
    name: 'a push to the wiki itself',
    placement: 'local',
    prepare: wikiWithPages,
    run: push,
    before: ['Old.md'],
  },
  {
    name: 'a push on a shared mount',
    placement: 'shared',
    prepare: wikiWithPages,
    run: push,
    before: ['Old.md'],
  },
  {
    name: 'a push that loses its race',
    placement: 'local',
    prepare: wikiWithPages,
    run: pushAfterLosing,
    before: ['Old.md'],
  },
  {
    name: 'a merge of commits from elsewhere',
    placement: 'local',
    prepare: wikiWithPages,
    run: merge,
    before: ['Old.md'],
    again: mergeAgain,
  },
  {
    name: 'a merge on a shared mount',
    placement: 'shared',
    prepare: wikiWithPages,
    run: merge,
    before: ['Old.md'],
    again: mergeAgain,
  },
  {
    name: 'a merge that loses its first race',
    placement: 'local',
    prepare: wikiWithPages,
    run: mergeAfterLosing,
    before: ['Old.md'],
    again: mergeAgain,
  },
  {
    name: 'a write where a crash tore the ref',
    placement: 'local',
    prepare: async (directory, placement) => {
      await wikiWithPages(directory, placement);
      truncateSync(join(directory, 'refs/heads/main'), 20);
    },
    run: write,
    before: ['Old.md'],
    isDamaged: true,
  },
  {
    name: 'a write where a dead process holds the lock of the ref',
    placement: 'local',
    prepare: async (directory, placement) => {
      await wikiWithPages(directory, placement);
      await leaveDeadLock(directory);
    },
    run: write,
    before: ['Old.md'],
  },
];

/** One of each kind: local, shared, and beside native git. */
export const SOME_SITUATIONS: readonly Situation[] = [
  'a write and the move of its ref',
  'a write on a shared mount',
  'the adoption of a push beside a write',
].flatMap((name) => SITUATIONS.filter((situation) => situation.name === name));

/** Takes longer than the others, for it has many files. */
export const MERGE: Situation = {
  name: 'a write and the merge of small packs',
  placement: 'local',
  prepare: async (directory, placement) => {
    await emptyWiki(directory, placement);
    for (let number = 0; number < PACKS_TO_MERGE; number++) {
      const storage = await openProcess({ directory, placement, fs: nodeFileSystem, host: nodeHost() });
      await storage.commit(pageRequest('Old.md', `${number}`));
      await storage.close();
    }
    expect(livePacks(directory)).toHaveLength(PACKS_TO_MERGE);
  },
  run: async (process) => {
    await write(process);
    // If this fails, nothing was merged, and the situation tests nothing.
    expect(livePacks(process.directory)).toHaveLength(2);
  },
  before: ['Old.md'],
};

async function emptyWiki(directory: string, placement: Placement): Promise<void> {
  const shared = placement === 'shared';
  await createRepository({ fs: nodeFileSystem, host: nodeHost(), directory, branch: 'main', shared });
}

async function wikiWithPages(directory: string, placement: Placement): Promise<void> {
  await emptyWiki(directory, placement);
  const storage = await openProcess({ directory, placement, fs: nodeFileSystem, host: nodeHost() });
  await storage.commit(pageRequest('Old.md', 'first'));
  await storage.commit(pageRequest('Old.md', 'second'));
  await storage.close();
}

async function write(process: Process): Promise<void> {
  const storage = await openProcess(process);
  await storage.commit(pageRequest(PAGE, 'new', REQUEST));
  process.acknowledged.add(PAGE);
  await storage.settle();
  await storage.close();
}

/** For it the process has made files ahead. */
async function writeWithSpares(process: Process): Promise<void> {
  const storage = await openProcess(process);
  await storage.commit(pageRequest('Old.md', 'third', { requestId: 'the-request-before' }));
  const temporary = join(process.directory, 'pagetree/temporary');
  const isEmpty = (name: string) => statSync(join(temporary, name)).size === 0;
  await expect.poll(() => readdirSync(temporary).filter(isEmpty)).toHaveLength(SPARE_FILES);
  await storage.commit(pageRequest(PAGE, 'new', REQUEST));
  process.acknowledged.add(PAGE);
  await storage.settle();
  await storage.close();
  expect(readdirSync(temporary)).toEqual([]);
}

/** A pack, its index and the value of the ref. */
const SPARE_FILES = 3;

async function writeAfterLosing(process: Process): Promise<void> {
  const storage = await openProcess(process);
  const request = pageRequest(PAGE, 'new', REQUEST);
  let attempts = 0;
  await storage.commit({
    ...request,
    build: async (base, transaction) => {
      if (attempts++ === 0) {
        const other = writeByAnother(process);
        process.others.push(other);
        await other;
      }
      return request.build(base, transaction);
    },
  });
  process.acknowledged.add(PAGE);
  await storage.settle();
  await storage.close();
}

/** Someone commits with native git on top of `parents`, and moves the branch there. */
function commitNatively(directory: string, page: string, parents: readonly string[]): void {
  const blob = git(directory, ['hash-object', '-w', '--stdin'], page);
  const onto = parents.map((parent) => git(directory, ['ls-tree', parent])).join('\n');
  const tree = git(directory, ['mktree'], `${onto}\n100644 blob ${blob}\t${page}\n`.trimStart());
  const parentArguments = parents.flatMap((parent) => ['-p', git(directory, ['rev-parse', parent])]);
  const commit = git(directory, ['commit-tree', tree, ...parentArguments, '-m', `Add ${page}`]);
  git(directory, ['update-ref', 'refs/heads/main', commit]);
}

/** A process dies between taking the lock and giving it back. */
async function leaveDeadLock(directory: string): Promise<void> {
  const at = (call: FileSystemCall) => call.name === 'rename' && call.path.endsWith('refs/heads/main');
  const { fs, crashed, release } = crashingFileSystem(nodeFileSystem, { at, moment: 'before' });
  const storage = await openProcess({ directory, placement: 'local', fs, host: endedHost('dead') });
  void storage.commit(pageRequest('Old.md', 'third'));
  await crashed;
  await release();
  expect(existsSync(join(directory, 'refs/heads/main.lock'))).toBe(true);
}
