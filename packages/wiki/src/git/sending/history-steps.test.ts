import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampled } from '../../../../../labs/sample.ts';
import { bareRepository, git, gitBytes } from '../../../test/native-git.ts';
import { makeHistory, undoneHistories } from '../../../test/undone-histories.ts';
import { nodeFileSystem } from '../../storage/files/node-file-system.ts';
import { ObjectStore } from '../../storage/objects/object-store.ts';
import { HistorySteps } from './history-steps.ts';

test('each step has all that its commits need beside those before, whatever was undone', async () => {
  const directory = bareRepository();
  const bounds = { objects: 9, inflatedBytes: 1_000_000 };
  let most = 0;
  await fc.assert(
    fc.asyncProperty(undoneHistories, async (history) => {
      const tip = makeHistory(directory, history).at(-1) ?? '';
      const store = new ObjectStore({ fs: nodeFileSystem, gitDirectory: directory, cacheBytes: 1_000_000 });
      const client = bareRepository();
      let steps = 0;
      for await (const { to, pack } of (await HistorySteps.of(store, tip)).after(null, bounds)) {
        gitBytes(client, ['unpack-objects', '-q', '--strict'], { input: pack });
        git(client, ['update-ref', 'refs/heads/main', to]);
        git(client, ['rev-list', '--objects', '--quiet', to]);
        steps += 1;
      }
      await store.close();
      expect(git(client, ['rev-parse', 'main'])).toBe(tip);
      most = Math.max(most, steps);
    }),
    { numRuns: sampled(80, 30) },
  );
  expect(most).toBeGreaterThan(2);
});
