import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installNpmPackages } from '../../../../labs/requirements.ts';
import { temporaryDirectory } from '../built-server.ts';
import { type HttpHarness, openHttpHarness } from '../http-harness.ts';

/**
 * The scenarios of the suite that need only MCP: the others call tools and read resources of its own server.
 */
const scenarios = [
  'server-initialize',
  'ping',
  'logging-set-level',
  'tools-list',
  'resources-list',
  'resources-subscribe',
  'resources-unsubscribe',
  'prompts-list',
  'dns-rebinding-protection',
];

let suite: string;
let harness: HttpHarness;

beforeAll(async () => {
  const installed = await installNpmPackages(['@modelcontextprotocol/conformance@0.1.16']);
  suite = join(installed, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
  // The suite subscribes to a resource of its own server; ours has only its own resources.
  const standIns = { 'test://watched-resource': 'wiki://main/page/Home' };
  harness = await openHttpHarness(await temporaryDirectory(), standIns);
});

afterAll(() => harness.close());

interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED';
  errorMessage?: string;
}

test.each(scenarios)("MCP's conformance suite passes: %s", async (scenario) => {
  const output = await temporaryDirectory();
  const args = [suite, 'server', '--url', harness.url, '--scenario', scenario, '--output-dir', output];
  // It exits with 1 if a check fails; the file reports the details.
  await promisify(execFile)(process.execPath, args).catch((error: { code?: number }) => {
    if (error.code !== 1) throw error;
  });
  const files = await readdir(output, { recursive: true });
  const file = files.find((each) => each.endsWith('checks.json'));
  const checks = JSON.parse(await readFile(join(output, file ?? ''), 'utf8')) as Check[];
  expect(checks.filter(({ status }) => status === 'SUCCESS')).not.toEqual([]);
  expect(checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')).toEqual([]);
});
