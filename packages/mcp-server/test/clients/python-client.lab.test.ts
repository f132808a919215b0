import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { installPythonPackages } from '../../../../labs/requirements.ts';
import { toolNames } from '../../src/mcp/tool-selection.ts';
import { builtServer, temporaryDirectory } from '../built-server.ts';
import { serveWiki } from '../http/served-wiki.ts';

const program = fileURLToPath(new URL('python_client.py', import.meta.url));

const SERVERS: readonly (readonly [string, (wikis: string) => Promise<string[]>])[] = [
  ['standard input', async (wikis) => [process.execPath, await builtServer(), '--dir', wikis]],
  [
    'HTTP',
    async (wikis) => {
      const { url, web } = await serveWiki(wikis);
      onTestFinished(async () => {
        await web.stop('SIGKILL');
      });
      return [url];
    },
  ],
];

test.each(SERVERS)(
  'Python’s official client calls tools, reads resources and gets prompts over %s',
  async (_, start) => {
    const packages = await installPythonPackages(['mcp==2.3.0']);
    const server = await start(join(await temporaryDirectory(), 'wikis'));
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
  },
);
