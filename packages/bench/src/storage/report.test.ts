import { expect, test } from 'vitest';
import { jsonOf, storageJson } from './json.ts';
import { markdownOf } from './report.ts';
import type { StorageReport } from './results.ts';
import { summarize } from './samples.ts';

const report: StorageReport = {
  pages: 1000,
  flat: false,
  absent: ['pygit2: no build for this machine.'],
  local: {
    ours: { write: summary(2), read_again: summary(0.1) },
    git: { write: summary(20.04), read_again: summary(4) },
    git_synced: { write: summary(24) },
    isomorphic_git: { write: summary(30), history: 'More than 30 s for history.' },
    pygit2: { write: 'No time was left for it.' },
  },
  nfs: {
    counted: {
      ours: { write: summary(3, 15) },
      git: { write: summary(80, 180), read_again: summary(9, 21) },
    },
    delayed: { ours: { write: summary(24, 15) }, git: { write: summary(260, 180) } },
  },
};

test('the JSON has local times and round trips on NFS, and nothing for measurements that were not made', () => {
  const json = jsonOf(report);
  expect(storageJson.parse(json)).toEqual(json);
  expect(json).toEqual({
    pages: 1000,
    engines: {
      ours: {
        write: { median_ms: 2, p95_ms: 2, peak_rss_mb: 51, rpc: 15, bytes_read: 4096 },
        read_again: { median_ms: 0.1, p95_ms: 0.1, peak_rss_mb: 51 },
      },
      git: {
        write: { median_ms: 20, p95_ms: 20, peak_rss_mb: 51, rpc: 180, bytes_read: 4096 },
        read_again: { median_ms: 4, p95_ms: 4, peak_rss_mb: 51, rpc: 21, bytes_read: 4096 },
      },
      git_synced: { write: { median_ms: 24, p95_ms: 24, peak_rss_mb: 51 } },
      isomorphic_git: { write: { median_ms: 30, p95_ms: 30, peak_rss_mb: 51 } },
    },
  });
});

test('the tables give each time, its ratio to ours, and the calibration of the row', () => {
  const markdown = markdownOf(report);
  expect(markdown).toContain('| operation | ours | git | isomorphic_git | calibration |');
  expect(markdown).toContain('| read_again | 0.1 | 4 ×40 |  | 140 |');
  expect(markdown).toContain('| git_synced | yes | 24 ×12 | 24 ×12 | 140 |');
  expect(markdown).toContain('| write | 15.0 (15), 4 kB | 180.0 (180) ×12, 4 kB |');
  expect(markdown).toContain('| write | git | OPEN 180.0 |');
});

test('missing measurements are named with their reasons', () => {
  const markdown = markdownOf(report);
  expect(markdown).toContain('- local, isomorphic_git, history: More than 30 s for history.');
  expect(markdown).toContain('- pygit2: no build for this machine.');
});

test('several samples give the median, 95th percentile and minimum; a single slow one gives its own time', () => {
  const samples = [3, 1, 2].map((milliseconds) => ({ milliseconds, peakRssMegabytes: 50 }));
  const local = { ours: { write: summarize(samples, 140), recent: summary(5000) } };
  const markdown = markdownOf({ ...report, local, nfs: null });
  expect(markdown).toContain('| write | 2 / 3 / 1 | 140 |');
  expect(markdown).toContain('| recent | 5000 | 140 |');
});

test('if no time was left for the added round trip, the report says so and prints no empty table', () => {
  const none = 'No time was left for it.';
  const delayed = { ours: { write: none, read_again: 'KeyError: a tree', read_other: none } };
  const markdown = markdownOf({ ...report, nfs: { counted: {}, delayed } });
  expect(markdown).not.toContain('NFS with 1 ms more');
  expect(markdown).toContain('- NFS, +1 ms, ours, write, read_other: No time was left for it.');
});

test('a run without NFS prints no table for it', () => {
  expect(markdownOf({ ...report, nfs: null })).not.toContain('NFS');
  expect(jsonOf({ ...report, nfs: null }).engines.ours?.write).not.toHaveProperty('rpc');
});

function summary(milliseconds: number, rpcs?: number) {
  const mount =
    rpcs === undefined ? {} : { mount: { rpcs: { OPEN: rpcs }, bytesRead: 4096, bytesWritten: 0 } };
  return summarize([{ milliseconds, peakRssMegabytes: 50.2, ...mount }], 140);
}
