import { expect, test, vi } from 'vitest';
import { sampled } from '../../../../../labs/sample.ts';
import type { FileSystem } from '../../../src/storage/files/file-system.ts';
import { cutPowerAtEachCall } from './crash-points.ts';
import { EVERY_OTHER_CHANGE, EVERYTHING } from './losses.ts';
import { SITUATIONS, type Situation } from './situations.ts';

// Many short steps, each with a native git of its own: long on a machine that does other things too.
vi.setConfig({ testTimeout: 1_800_000 });

const SHORT = [
  'a write and the move of its ref',
  'a write that loses its first race',
  'a push to the wiki itself',
  'a merge that loses its first race',
  'the adoption of a push beside a write',
  'a write where a dead process holds the lock of the ref',
];
const SOME = SITUATIONS.filter(({ name }) => SHORT.includes(name));

test.for(SOME)(
  '$name survives a power cut at each call that changes anything',
  async (situation, { annotate }) => {
    const { points: cuts, states } = await cutPowerAtEachCall(situation, 'changing', [EVERYTHING]);
    expect(cuts).toBeGreaterThan(sampled(20, 6));
    await annotate(`${cuts} power cuts, ${states} states`);
  },
);

test.for(SOME.slice(0, 1))('$name survives a power cut that keeps only late changes', async (situation) => {
  await cutPowerAtEachCall(situation, 'changing', EVERY_OTHER_CHANGE);
});

test.for(SOME.slice(0, 2))('the power cuts break $name if nothing is synced', async (situation) => {
  const careless: Situation = {
    ...situation,
    run: (process) => situation.run({ ...process, fs: withoutSync(process.fs) }),
  };
  await expect(cutPowerAtEachCall(careless, 'changing', [EVERYTHING])).rejects.toThrow();
});

function withoutSync(fs: FileSystem): FileSystem {
  return {
    ...fs,
    open: async (path, flags, mode) => ({
      ...(await fs.open(path, flags, mode)),
      sync: async () => undefined,
    }),
  };
}
