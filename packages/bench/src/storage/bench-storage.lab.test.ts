import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { storageJson } from './json.ts';

const READS = ['read_cold', 'read_again', 'read_other', 'read_warm'] as const;
const TELLINGS = ['list', 'recent', 'history'] as const;

test('a small run measures every engine on a local disk and prints one JSON object alone', async ({
  signal,
}) => {
  const main = fileURLToPath(new URL('../main.ts', import.meta.url));
  const command = [main, 'storage', '--pages', '120', '--json'];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, command, { signal });
  const { pages, engines } = storageJson.parse(JSON.parse(stdout));
  expect(pages).toBe(120);

  const pygit2 = stderr.includes('not measured: pygit2') ? [] : ['pygit2'];
  for (const name of ['ours', 'dulwich', 'git', 'isomorphic_git', ...pygit2]) {
    const diff = name === 'isomorphic_git' ? [] : (['diff'] as const);
    for (const operation of [...READS, ...TELLINGS, ...diff, 'write'] as const) {
      const figures = engines[name]?.[operation];
      expect(figures, `${name} ${operation}`).toMatchObject({
        median_ms: expect.any(Number),
        p95_ms: expect.any(Number),
        peak_rss_mb: expect.any(Number),
      });
      expect(figures, 'without --nfs no round trips').not.toHaveProperty('rpc');
    }
  }
  for (const name of ['dulwich_synced', 'dulwich_by_hand', 'git_synced', 'git_fast_import']) {
    expect(Object.keys(engines[name] ?? {})).toEqual(['write']);
  }
});
