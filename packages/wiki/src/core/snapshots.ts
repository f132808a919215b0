import type { Snapshot } from './ports.ts';

/** Before the first commit. */
export const emptySnapshot: Snapshot = {
  commit: null,
  entry: async () => null,
  folder: async (path) => (path === '' ? [] : null),
  files: async function* () {},
  blob: async (oid) => {
    throw new Error(`the empty tree has no blob ${oid}`);
  },
};
