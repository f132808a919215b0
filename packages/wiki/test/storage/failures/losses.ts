import type { Loss } from '../file-systems/disk.ts';

/** Nothing that was not synced is there. */
export const EVERYTHING: Loss = { keepsChange: () => false, unsyncedBytes: 'lost' };

/** All names are there, and nothing of what was not synced in the files. */
export const THE_BYTES: Loss = { keepsChange: () => true, unsyncedBytes: 'zeroed' };

/** Late changes are there and early ones are not. */
export const EVERY_OTHER_CHANGE: readonly Loss[] = [
  { keepsChange: (step) => step % 2 === 0, unsyncedBytes: 'half' },
  { keepsChange: (step) => step % 2 === 1, unsyncedBytes: 'lost' },
];

/** Some part or other is there, the same one in each run of the test. */
export const SOME_CHANGES: readonly Loss[] = [3, 7].map((prime) => ({
  keepsChange: (step) => (step * 2_654_435_761) % prime > prime / 2,
  unsyncedBytes: 'lost',
}));
