import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installNpmPackages } from '../../../../labs/requirements.ts';
import type { ServedWeb } from '../../../web/test/served-web.ts';
import { temporaryDirectory } from '../built-server.ts';
import { openFixture } from '../http/fixture-server.ts';
import { serveWiki } from '../http/served-wiki.ts';
import { inapplicable, isOnFixture } from './conformance-scenarios.ts';

let suite: string;
let wiki: { url: string; web: ServedWeb };
let fixture: { url: string; close(): Promise<void> };

beforeAll(async () => {
  const installed = await installNpmPackages(['@modelcontextprotocol/conformance@0.2.0-alpha.12']);
  suite = join(installed, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
  wiki = await serveWiki(await temporaryDirectory());
  fixture = await openFixture();
});

afterAll(async () => {
  await wiki.web.stop('SIGKILL');
  await fixture.close();
});

interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED';
  errorMessage?: string;
}

describe.each(['2025-11-25', '2026-07-28'])('the requirements of %s', (revision) => {
  test('are met by the server of a wiki and, where they ask for tools of their own, by its endpoint', async ({
    annotate,
  }) => {
    const onWiki = await run(revision, wiki.url);
    const onFixture = await run(revision, fixture.url);
    expect([...onWiki.keys()]).toEqual([...onFixture.keys()]);
    const checks = [...onWiki.keys()].flatMap((scenario) =>
      ((isOnFixture(scenario) ? onFixture : onWiki).get(scenario) ?? []).map((check) => ({
        scenario,
        ...check,
      })),
    );
    const failed = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
    const reasonFor = ({ scenario, id }: { scenario: string; id: string }) =>
      inapplicable(revision, scenario, id);
    expect(failed.filter((check) => reasonFor(check) === null)).toEqual([]);
    const passed = checks.filter(({ status }) => status === 'SUCCESS').length;
    // Otherwise nothing ran.
    expect(passed).toBeGreaterThan(40);
    const others = Map.groupBy(failed, reasonFor);
    const named = [...others].map(([reason, each]) => `${reason} (${each.length} checks)`);
    await annotate(`${passed} checks passed. Not for this server: ${named.join(' ')}`);
  });
});

/** The checks of each scenario that a revision requires. */
async function run(revision: string, url: string): Promise<ReadonlyMap<string, Check[]>> {
  const output = await temporaryDirectory();
  const args = [suite, 'server', '--url', url, '--requirements', revision, '--output-dir', output];
  // It exits with 1 if a check fails; the files report the details.
  await promisify(execFile)(process.execPath, args, { maxBuffer: 64_000_000 }).catch(
    (error: { code?: number }) => {
      if (error.code !== 1) throw error;
    },
  );
  const found = new Map<string, Check[]>();
  for (const folder of (await readdir(output)).toSorted()) {
    const scenario = /^server-(.*)-\d{4}-\d{2}-\d{2}T/.exec(folder)?.[1] ?? folder;
    found.set(scenario, JSON.parse(await readFile(join(output, folder, 'checks.json'), 'utf8')));
  }
  return found;
}
