import { createHash } from 'node:crypto';
import type { Host } from '../../../src/storage/files/host.ts';
import { nodeHost } from '../../../src/storage/files/node-host.ts';

/** This machine, but that two processes of the same `seed` make the same names: so they leave the same state. */
export function repeatableHost(seed: string): Host {
  let taken = 0;
  return {
    ...nodeHost(),
    randomBytes: (count) => {
      taken += 1;
      return createHash('shake256', { outputLength: count }).update(`${seed} ${taken}`).digest();
    },
  };
}
