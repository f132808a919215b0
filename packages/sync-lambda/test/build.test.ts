import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildSyncFunction } from '../build.ts';

test('the function is one file, the same whenever it is built, and has no wiki and no command in it', async () => {
  const [directory, again] = [await built(), await built()];
  const files = ['THIRD-PARTY-NOTICES.txt', 'index.mjs'];
  expect(readdirSync(directory).sort()).toEqual(files);
  const [notices = '', bundle = ''] = files.map((file) => readFileSync(join(directory, file), 'utf8'));
  expect(files.map((file) => readFileSync(join(again, file), 'utf8'))).toEqual([notices, bundle]);
  expect(Buffer.byteLength(bundle)).toBeLessThan(850_000);
  // The storage, the remotes by commands, and the tokens in files are somewhere else.
  for (const text of ['node:sqlite', 'pagetree/chain', 'git-upload-pack --', 'credential.interactive'])
    expect(bundle.includes(text), text).toBe(false);
  // What is imported at the start must be beside it.
  expect([...bundle.matchAll(/from"(@[^"]+)"/g)].map(([, name]) => name)).toEqual([]);
  for (const name of ['@aws-sdk/client-lambda', '@aws-sdk/client-secrets-manager', 'zod'])
    expect(notices, name).toContain(`${name} `);
});

async function built(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'function-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  await buildSyncFunction(directory);
  return directory;
}
