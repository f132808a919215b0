import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cached, installWithRetries } from './requirements.ts';

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

test('what a registry refuses is tried three times, and then reported with the registry and its words', async () => {
  let tries = 0;
  const refuse = async () => {
    tries += 1;
    throw Object.assign(new Error('Command failed'), { stderr: `503 for the ${tries}. time\n` });
  };
  await expect(installWithRetries("npm's packages a, b", refuse, [0, 0])).rejects.toThrow(
    "npm's packages a, b could not be installed in 3 tries. The last one printed:\n503 for the 3. time",
  );
  expect(tries).toBe(3);
});

test('an installer that fails once is run once more', async () => {
  const answers = [Promise.reject(new Error('reset')), Promise.resolve()];
  await installWithRetries(
    "PyPI's package a",
    () => answers.shift() ?? Promise.reject(new Error('again')),
    [0, 0],
  );
  expect(answers).toEqual([]);
});

async function make(directory: string): Promise<void> {
  await writeFile(join(directory, 'made'), 'whole');
}
