import { readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git, temporaryDirectory } from '../../../test/native-git.ts';
import { interceptedFileSystem } from '../../../test/storage/file-systems/intercepted-file-system.ts';
import type { OpenIndex } from '../../core/index-port.ts';
import { starterPages } from '../../core/pages/starter-pages.ts';
import type { FileSystem } from '../../storage/files/file-system.ts';
import { nodeFileSystem } from '../../storage/files/node-file-system.ts';
import { nodeHost } from '../../storage/files/node-host.ts';
import { openWikiDirectory } from './wiki-directory.ts';
import { findWikis } from './wiki-place.ts';

test.each(['local', 'shared'] as const)(
  'a wiki is made completely or not at all if another process takes it for unfinished meanwhile (%s)',
  async (placement) => {
    const outcomes = new Map<string, number>();
    for (let sleepsAt = 0; outcomes.get('undisturbed') === undefined; sleepsAt += 1) {
      const outcome = await makeAndSleep(placement, sleepsAt);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    expect(outcomes.get('failed')).toBeGreaterThan(20);
  },
);

/**
 * Makes a wiki by a process that sleeps for days before its call number `sleepsAt`; another process begins to take
 * away what it finds, and is halted in the midst of that until the wiki is made.
 */
async function makeAndSleep(placement: 'local' | 'shared', sleepsAt: number): Promise<string> {
  const directory = temporaryDirectory();
  let calls = 0;
  let removal: ReturnType<typeof beginRemoval> | undefined;
  const fs = interceptedFileSystem(nodeFileSystem, async (_, perform) => {
    if (calls++ === sleepsAt) {
      removal = beginRemoval(directory);
      await removal.begun;
    }
    return perform();
  });
  const wikis = openWikis(fs, directory, placement);
  const made = await wikis.chooseDefault('main').then(
    () => true,
    () => false,
  );
  await wikis.close().catch(() => undefined);
  await removal?.finish();
  const isThere = readdirSync(directory).includes('main.git');
  if (isThere) await expectWhole(directory);
  else expect(made).toBe(false);
  if (removal === undefined) return 'undisturbed';
  return made ? 'made' : 'failed';
}

function openWikis(fs: FileSystem, directory: string, placement: 'local' | 'shared') {
  return openWikiDirectory({
    fs,
    host: nodeHost(),
    directory,
    placement,
    readOnly: false,
    makes: 'default wiki',
    firstPages: starterPages,
    // Nothing here asks the index anything.
    openIndex: () => ({}) as OpenIndex,
  });
}

/** `begun` when the removal has made its first change, or found nothing to remove. */
function beginRemoval(directory: string): { begun: Promise<unknown>; finish(): Promise<void> } {
  const changed = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  let changes = 0;
  const fs = interceptedFileSystem(nodeFileSystem, async (call, perform) => {
    if (call.changes && changes++ === 1) {
      changed.resolve();
      await goOn.promise;
    }
    return perform();
  });
  const longAgo = Date.now() / 1000 - 48 * 3600;
  for (const name of readdirSync(directory)) {
    if (statSync(join(directory, name)).isDirectory()) utimesSync(join(directory, name), longAgo, longAgo);
  }
  const done = findWikis(fs, directory, { mayBeMissing: false, sweep: true, host: nodeHost() });
  return {
    begun: Promise.race([changed.promise, done]),
    finish: async () => {
      goOn.resolve();
      await done;
    },
  };
}

async function expectWhole(directory: string): Promise<void> {
  const gitDirectory = join(directory, 'main.git');
  git(gitDirectory, ['fsck', '--strict']);
  expect(git(gitDirectory, ['log', '--format=%s', 'main'])).toBe('Begin the wiki');
  const wikis = openWikis(nodeFileSystem, directory, 'local');
  try {
    const { repository } = await wikis.open('main');
    const checked = await repository.maintenance.check({ goOn: () => true });
    expect(checked).toMatchObject({ isFinished: true, report: { problems: [] } });
  } finally {
    await wikis.close();
  }
}
