import { expect, test } from 'vitest';
import { benchNativeExtras } from './bench-native-extras.ts';

test('a small run asks native git of both wikis with each of the extras', async () => {
  const report = await benchNativeExtras(['--pages', '100']);
  const variants = ['as it is', 'multi-pack-index', 'commit-graph', 'with changed paths'];
  expect(report.split(`| command | ${variants.join(' | ')} |`)).toHaveLength(3);
  for (const wiki of ["100 pages and commits in one pack of git's", '100 single writes']) {
    expect(report).toContain(wiki);
  }
  expect(report.match(/^\| `git log -- PAGE` \|( [\d.]+ \/ [\d.]+ \|){5}$/gm)).toHaveLength(2);
});
