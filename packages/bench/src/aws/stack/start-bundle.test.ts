import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const start = readFileSync(new URL('./start-bundle.mjs', import.meta.url), 'utf8');
const bundle = "if (import.meta.main) process.stdout.write('ran with ' + process.env.PROBE_STORE);\n";
const sha256 = createHash('sha256').update(bundle).digest('hex');
const server = createServer((request, response) => {
  response.writeHead(request.url === '/bundle.mjs' ? 200 : 404).end(bundle);
});
let address = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

/** As the task runs it. */
function run(url: string, hash: string) {
  return promisify(execFile)(process.execPath, ['--input-type=module', '--eval', start, '--', url, hash], {
    env: { PROBE_STORE: 'efs' },
  });
}

test('the task runs the bundle as its main program, with its variables', async () => {
  const { stdout } = await run(`${address}/bundle.mjs`, sha256);
  expect(stdout).toBe('ran with efs');
});

test('a task runs only the bundle that the stack names', async () => {
  await expect(run(`${address}/bundle.mjs`, 'f'.repeat(64))).rejects.toThrow('This is another bundle.');
});

test('a bundle that cannot be fetched is reported with its address', async () => {
  await expect(run(`${address}/missing.mjs`, sha256)).rejects.toThrow(
    /cannot be fetched[\s\S]*missing\.mjs[\s\S]*404/,
  );
});
