import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cached } from './requirements.ts';

test('two callers that make the same directory at once get one complete directory', async () => {
  const key = randomUUID();
  const made = await Promise.all([cached('test', key, make), cached('test', key, make)]);
  onTestFinished(() => rm(made[0], { recursive: true }));
  expect(made[0]).toBe(made[1]);
  expect(readFileSync(join(made[0], 'made'), 'utf8')).toBe('whole');
});

test('an existing directory is not made again', async () => {
  const key = randomUUID();
  const first = await cached('test', key, make);
  onTestFinished(() => rm(first, { recursive: true }));
  expect(await cached('test', key, () => Promise.reject(new Error('made again')))).toBe(first);
});

test('a failed attempt leaves nothing behind, and the next attempt works', async () => {
  const key = randomUUID();
  let begun = '';
  const fail = async (directory: string) => {
    begun = directory;
    throw new Error('no network');
  };
  await expect(cached('test', key, fail)).rejects.toThrow('no network');
  expect(existsSync(begun)).toBe(false);
  const made = await cached('test', key, make);
  onTestFinished(() => rm(made, { recursive: true }));
  expect(existsSync(join(made, 'made'))).toBe(true);
});

async function make(directory: string): Promise<void> {
  await writeFile(join(directory, 'made'), 'whole');
}
