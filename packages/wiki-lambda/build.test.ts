import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildFunction } from './build.ts';

async function built(): Promise<Buffer> {
  const directory = mkdtempSync(join(tmpdir(), 'function-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  await buildFunction(directory);
  return readFileSync(join(directory, 'index.mjs'));
}

test('the function is one small file, the same whenever it is built', async () => {
  const bundle = await built();
  // A library that comes as a whole by mistake is larger than what is left here.
  expect(bundle.byteLength).toBeLessThan(880_000);
  expect(await built()).toEqual(bundle);
});
