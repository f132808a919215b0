import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { builtServer, temporaryDirectory } from '../built-server.ts';

// The modules that Node has loaded when the process ends, a line each.
const REPORT = `process.on('exit', () => {
  for (const line of process.moduleLoadList) console.error(line);
});`;

test('a start loads no part of Node that speaks over networks, which only some commands need', async () => {
  const hook = join(await temporaryDirectory(), 'report.mjs');
  writeFileSync(hook, REPORT);
  const loaded = loadedBy(['--import', pathToFileURL(hook).href, await builtServer(), '--version']);
  expect(loaded).toContain('fs');
  for (const name of ['http', 'https', 'http2', 'tls', 'dns/promises', 'internal/deps/undici/undici'])
    expect(loaded, name).not.toContain(name);
});

function loadedBy(args: readonly string[]): string[] {
  const { stderr } = spawnSync(execPath, args, { encoding: 'utf8' });
  const lines = stderr.split('\n');
  return lines.flatMap((line) => /^NativeModule (.*)$/.exec(line)?.[1] ?? []);
}
