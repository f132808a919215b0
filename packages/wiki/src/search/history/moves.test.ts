import { expect, test } from 'vitest';
import { findOrigins, type Sided } from './moves.ts';

const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `This is line number ${from + at} of some page.\n`).join('');
const contents = new Map([
  ['whole', lines(0, 20)],
  ['edited', lines(0, 14) + lines(100, 106)],
  ['half gone', lines(0, 6) + lines(100, 114)],
  ['empty', ''],
]);

function origins(added: readonly Sided[], removed: readonly Sided[]) {
  return findOrigins(added, removed, async (blob) => Buffer.from(contents.get(blob) ?? ''));
}

test('a page of the same content counts as moved, preferably from one of the same name', async () => {
  const found = await origins(
    [{ path: 'new/Name', blob: 'whole' }],
    [
      { path: 'a/Other', blob: 'whole' },
      { path: 'b/Name', blob: 'whole' },
    ],
  );
  expect(found).toEqual(new Map([['new/Name', { path: 'b/Name', moved: true }]]));
});

test('a page that changed while it moved is recognized if half of it is the same', async () => {
  const removed = [{ path: 'old', blob: 'whole' }];
  expect((await origins([{ path: 'new', blob: 'edited' }], removed)).get('new')?.path).toBe('old');
  expect(await origins([{ path: 'new', blob: 'half gone' }], removed)).toEqual(new Map());
});

test('two pages made from one continue its history, but only the more similar one counts as moved', async () => {
  const found = await origins(
    [
      { path: 'less', blob: 'edited' },
      { path: 'more', blob: 'whole' },
    ],
    [{ path: 'old', blob: 'whole' }],
  );
  expect(found).toEqual(
    new Map([
      ['more', { path: 'old', moved: true }],
      ['less', { path: 'old', moved: false }],
    ]),
  );
});

test('an empty page is similar only to another empty one', async () => {
  const found = await origins([{ path: 'new', blob: 'empty' }], [{ path: 'old', blob: 'whole' }]);
  expect(found).toEqual(new Map());
});
