import { expect, test } from 'vitest';
import { newFileSystem, TokenBucket } from './token-bucket.ts';

/** A clock that only sleeping moves. */
function clock() {
  let now = 0;
  return {
    now: () => now,
    sleep: async (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

async function write(bucket: TokenBucket, mib: number): Promise<void> {
  for (let written = 0; written < mib; written += 1) {
    bucket.take(1);
    await bucket.allowed();
  }
}

test('a new file system writes 1,000 MiB at its burst rate of 100 MiB/s', async () => {
  const time = clock();
  const bucket = new TokenBucket(newFileSystem, time);
  await write(bucket, 1_000);
  expect(time.now()).toBeCloseTo(10_000, 0);
  expect(newFileSystem.credits_mib - bucket.credits_mib).toBeGreaterThan(980);
});

test('without credits a file system writes at its baseline rate', async () => {
  const time = clock();
  const bucket = new TokenBucket({ credits_mib: 99, baseline_mib_per_s: 1, burst_mib_per_s: 100 }, time);
  await write(bucket, 99);
  expect(time.now()).toBeLessThan(1_100);
  await write(bucket, 10);
  // About one of the ten was earned in the second before.
  expect(time.now()).toBeGreaterThan(8_000);
  expect(time.now()).toBeLessThan(12_000);
});

test('a waiting writer earns credits at the baseline rate, up to those of a new file system', async () => {
  const time = clock();
  const bucket = new TokenBucket({ credits_mib: 0, baseline_mib_per_s: 50, burst_mib_per_s: 100 }, time);
  await time.sleep(2_000);
  bucket.take(1);
  expect(bucket.credits_mib).toBeCloseTo(99, 6);
  await time.sleep(1e9);
  bucket.take(1);
  expect(bucket.credits_mib).toBeCloseTo(newFileSystem.credits_mib - 1, 6);
});

test('a file system that is slower than the burst rate is not slowed down', async () => {
  const time = clock();
  const bucket = new TokenBucket(newFileSystem, time);
  for (let written = 0; written < 100; written += 1) {
    await time.sleep(20);
    bucket.take(1);
  }
  await bucket.allowed();
  expect(time.now()).toBe(2_000 + 10);
});
