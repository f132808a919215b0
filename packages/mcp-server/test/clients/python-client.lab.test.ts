import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { installPythonPackages } from '../../../../labs/requirements.ts';
import { toolNames } from '../../src/mcp/tool-selection.ts';
import { builtServer, temporaryDirectory } from '../built-server.ts';

const program = fileURLToPath(new URL('python_client.py', import.meta.url));

test('Python’s official client lists tools, calls them, reads resources and gets prompts', async () => {
  const packages = await installPythonPackages(['mcp==2.3.0']);
  const [bundle, directory] = await Promise.all([builtServer(), temporaryDirectory()]);
  const server = [process.execPath, bundle, '--dir', join(directory, 'wikis')];
  const env = { ...process.env, PYTHONPATH: packages };
  const { stdout } = await promisify(execFile)('python3', [program, ...server], { env });
  expect(JSON.parse(stdout)).toMatchObject({
    instructions: expect.stringContaining('Home'),
    tools: toolNames,
    written: {
      content: [{ text: expect.stringMatching(/^commit [0-9a-f]{10} "Tea" version [0-9a-f]{40}$/m) }],
    },
    refused: { isError: true, content: [{ text: expect.stringMatching(/^already_exists: /) }] },
    resource: 'Black tea.',
    prompt: expect.stringContaining('"Tea"'),
  });
});
