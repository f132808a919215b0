import { expect, test } from 'vitest';
import { measureWeb } from './bench-web.ts';

test('a page of 20 kB is shown faster than by otterwiki, and takes at most 40 kB with its styles', async () => {
  const { figures, paints, functions } = await measureWeb(100, 3);
  const [pagetree, otterwiki] = figures;
  if (pagetree === undefined || otterwiki === undefined) throw new Error('Nothing was measured.');
  expect(otterwiki.unchanged.p50 / pagetree.unchanged.p50).toBeGreaterThan(5);
  expect(otterwiki.changed.p50 / pagetree.changed.p50).toBeGreaterThan(2);
  expect(pagetree.notModified).toBe(3);
  expect(pagetree.compressedBytes).toBeLessThan(40_000);
  // The document alone waits for the network: 562 ms in place of 150 ms.
  expect((paints[1]?.p50 ?? 0) - (paints[0]?.p50 ?? 0)).toBeGreaterThan(300);
  for (const { visit, webStart, webRequest, wikiStart, wikiRequest } of functions) {
    expect(webRequest, visit).toBeGreaterThan(0);
    expect(wikiRequest, visit).toBeGreaterThan(0);
    expect([webStart > 0, wikiStart > 0], visit).toEqual(Array(2).fill(visit.startsWith('cold')));
  }
  expect(functions).toHaveLength(6);
  for (const { shift, visit } of paints) expect(shift, visit).toBeLessThan(0.02);
});
