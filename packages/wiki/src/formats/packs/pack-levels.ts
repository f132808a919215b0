import { shrinks } from '../deflate.ts';
import type { ObjectType } from '../oid.ts';
import { LEVELS } from './pack.ts';

export type LevelOf = (type: ObjectType, content: Uint8Array) => number;

/**
 * The compression level of each object of a large pack, requested one after another. At git's level some
 * content takes ten times as long as at the fastest one and gains little: only the first megabytes get git's
 * level.
 */
export function packLevels(): LevelOf {
  let seenBytes = 0;
  return (type, content) => {
    if (!shrinks(content)) return 0;
    seenBytes += content.length;
    return seenBytes > THOROUGH_BYTES ? 1 : LEVELS[type];
  };
}

const THOROUGH_BYTES = 4_000_000;
