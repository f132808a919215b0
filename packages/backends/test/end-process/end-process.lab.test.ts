import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const PROCESSES = 400;
const AT_ONCE = 3;
/** Hundreds of times what one takes. */
const HUNG_MS = 60_000;

const program = fileURLToPath(new URL('busy-process.ts', import.meta.url));

test('a process that compiles functions always ends', async () => {
  const seeds = Array.from({ length: PROCESSES }, (_, index) => index + 1).values();
  const ends: { seed: number; code: number | null; signal: string | null }[] = [];
  async function endSome(): Promise<void> {
    // All of these loops share one iterator.
    for (const seed of seeds) ends.push({ seed, ...(await endOf(seed)) });
  }
  await Promise.all(Array.from({ length: AT_ONCE }, endSome));
  expect(ends).toHaveLength(PROCESSES);
  expect(ends.filter(({ code }) => code !== 0)).toEqual([]);
});

async function endOf(seed: number): Promise<{ code: number | null; signal: string | null }> {
  // The delay makes it likely that a compiler runs at the end.
  const child = spawn(process.execPath, ['--concurrent-recompilation-delay=10', program, `${seed}`], {
    stdio: 'inherit',
    timeout: HUNG_MS,
    killSignal: 'SIGKILL',
  });
  const [code, signal] = await once(child, 'close');
  return { code, signal };
}
