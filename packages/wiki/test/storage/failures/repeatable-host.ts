import { createHash, randomUUID } from 'node:crypto';
import type { Host } from '../../../src/storage/files/host.ts';
import { nodeHost } from '../../../src/storage/files/node-host.ts';

/** Other names in each run of the tests. */
const run = randomUUID();

/**
 * This machine, but that all processes of the same `seed` make the same names, so that what they leave can be compared.
 * Not for two processes in one wiki.
 */
export function repeatableHost(seed: string): Host {
  let taken = 0;
  return {
    ...nodeHost(),
    randomBytes: (count) => {
      taken += 1;
      return createHash('shake256', { outputLength: count }).update(`${run} ${seed} ${taken}`).digest();
    },
  };
}
