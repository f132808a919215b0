import { createSHA1, type IHasher } from 'hash-wasm';

/**
 * A hash whose state can be saved. In a file of its own, so that the library is loaded late, and imported by
 * name, so that a bundle holds only this part: all of the library is 200 kB.
 */
export function newSha1(): Promise<IHasher> {
  return createSHA1();
}
