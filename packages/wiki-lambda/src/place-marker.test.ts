import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ExpectedPlace, MARKER, requirePlace } from './place-marker.ts';

const here: ExpectedPlace = { name: 'fs-1:/pagetree', mayBeEmpty: false, mayBeCopy: false };
const NOW = Date.UTC(2026, 10, 22);

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pagetree-place-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

function start(place: Partial<ExpectedPlace>, readOnly = false): Promise<void> {
  return requirePlace(directory, { ...here, ...place }, { readOnly, now: () => NOW });
}

function marker(): unknown {
  return JSON.parse(readFileSync(join(directory, MARKER), 'utf8'));
}

test('the first start of a new stack marks its empty directory, and later starts find the marker', async () => {
  await start({ mayBeEmpty: true });
  expect(marker()).toEqual({ place: 'fs-1:/pagetree', since: '2026-11-22T00:00:00.000Z' });
  await start({ mayBeEmpty: true });
  expect(readdirSync(directory)).toEqual([MARKER]);
});

test('a copy is refused while its restore has brought no wiki yet, and so is a place that lost all of them', async () => {
  const restored = { name: 'fs-1:/aws-backup-restore_1/pagetree', mayBeCopy: true };
  writeFileSync(join(directory, MARKER), '{"place":"fs-1:/pagetree"}');
  for (const expected of [restored, {}])
    await expect(start(expected)).rejects.toMatchObject({
      message: expect.stringContaining('there are none'),
    });
  expect(readdirSync(directory)).toEqual([MARKER]);
  mkdirSync(join(directory, 'main.git'));
  await start(restored);
  expect(marker()).toMatchObject({ place: restored.name });
});

test('environments that start at once all succeed and leave one marker', async () => {
  await Promise.all(Array.from({ length: 20 }, () => start({ mayBeEmpty: true })));
  expect(readdirSync(directory)).toEqual([MARKER]);
});

test('an empty directory that is not new is refused, and nothing is made in it', async () => {
  for (const name of ['fs-1:/pagetreee', 'fs-2:/pagetree'])
    await expect(start({ name })).rejects.toMatchObject({
      code: 'backend_unavailable',
      message: expect.stringContaining(`the wikis in ${name}, and there are none`),
    });
  expect(readdirSync(directory)).toEqual([]);
});

test('wikis older than the marker are served, and get one', async () => {
  mkdirSync(join(directory, 'main.git'));
  await start({}, true);
  expect(readdirSync(directory)).toEqual(['main.git']);
  await start({});
  expect(marker()).toMatchObject({ place: 'fs-1:/pagetree' });
});

test('a restored copy is refused until it is taken over, from then on it is the place', async () => {
  mkdirSync(join(directory, 'main.git'));
  await start({});
  const restored = { name: 'fs-1:/aws-backup-restore_1/pagetree' };
  await expect(start({ ...restored, mayBeEmpty: true })).rejects.toMatchObject({
    message: expect.stringContaining('were set up as fs-1:/pagetree'),
  });
  await start({ ...restored, mayBeCopy: true }, true);
  expect(marker()).toMatchObject({ place: 'fs-1:/pagetree' });
  await start({ ...restored, mayBeCopy: true });
  await start(restored);
  expect(marker()).toMatchObject({ place: restored.name });
});

test('a damaged marker never counts as the right one', async () => {
  mkdirSync(join(directory, 'main.git'));
  for (const damaged of ['', '{', '{}', 'null']) {
    writeFileSync(join(directory, MARKER), damaged);
    await expect(start({ mayBeEmpty: true })).rejects.toMatchObject({ code: 'backend_unavailable' });
  }
});
