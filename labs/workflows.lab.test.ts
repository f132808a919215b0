import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { temporaryDirectory } from '../packages/mcp-server/test/built-server.ts';
import { installGoProgram } from './requirements.ts';

const WORKFLOWS = fileURLToPath(new URL('../.github/workflows/', import.meta.url));
let actionlint: string;

beforeAll(async () => {
  const directory = await installGoProgram('github.com/rhysd/actionlint/cmd/actionlint@v1.7.12');
  actionlint = join(directory, 'actionlint');
});

test.each(['ci.yml', 'release.yml'])('actionlint finds nothing in %s', async (workflow) => {
  expect((await promisify(execFile)(actionlint, [join(WORKFLOWS, workflow)])).stdout).toBe('');
});

test('actionlint finds a mistake', async () => {
  const text = await readFile(join(WORKFLOWS, 'ci.yml'), 'utf8');
  const wrong = join(await temporaryDirectory(), 'ci.yml');
  await writeFile(wrong, text.replaceAll('matrix.os', 'matrix.system'));
  await expect(promisify(execFile)(actionlint, [wrong])).rejects.toMatchObject({
    stdout: expect.stringContaining('property "system" is not defined'),
  });
});
