import '../../src/small-heap.ts';
import { endProcess } from '../../src/end-process.ts';

/*
 * node --concurrent-recompilation-delay=10 busy-process.ts SEED: ends while other threads compile its functions and its
 * heap is about to be collected.
 */

const objects: object[] = [];
const functions = Array.from(
  { length: 40 },
  (_, index) =>
    new Function(
      'count',
      `let sum = ${index};
       for (let i = 0; i < count; i++) {
         const pair = { sum, i };
         sum = (sum * ${index} + i + (pair.sum & 7) + (Math.sin(sum) > 0 ? 1 : 2)) | 0;
       }
       return sum`,
    ),
);
const random = randomNumbers(Number(process.argv[2]));

allocate(random() * 60_000);
const end = Date.now() + 5 + random() * 60;
while (Date.now() < end) {
  for (const each of functions) each(40 + random() * 100);
  allocate(random() * 300);
}
endProcess(0);

function allocate(count: number): void {
  for (let index = 0; index < count; index++)
    objects.push({ index, pair: [index, index + 1], text: `s${index}` });
}

/** Xorshift: the same numbers, from 0 to 1, for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}
