import type { Oid } from '../../contract/ids.ts';
import type { Snapshot } from '../ports.ts';

/** The snapshot before the first commit. */
export const emptySnapshot: Snapshot = {
  commit: null,
  entry: async () => null,
  folder: async (path) => (path === '' ? [] : null),
  files: async function* () {},
  quarantined: async function* () {},
  blob: noBlob,
  size: noBlob,
  beginning: noBlob,
};

async function noBlob(oid: Oid): Promise<never> {
  throw new Error(`the empty tree has no blob ${oid}`);
}
