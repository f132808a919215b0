import { expect, test } from 'vitest';
import { decodeCursor, encodeCursor, keyOf, passageKeyOf } from './cursor.ts';

const commit = 'a'.repeat(40);
const offset = Number.MAX_SAFE_INTEGER;
const began = 8_640_000_000_000_000;
const texts = Array.from({ length: 400 }, (_, at) => `text ${at}`);

test('a cursor gives back what was shown, the last of it if it is much, and never grows too long', () => {
  for (const [pages, passages] of [
    [0, 0],
    [3, 0],
    [0, 7],
    [3, 7],
    [400, 400],
    [0, 400],
  ] as const) {
    const shown = texts.slice(0, pages).map(keyOf);
    const said = texts.slice(0, passages).map(passageKeyOf);
    const cursor = encodeCursor({ commit, offset, shown, said, began }, 'query');
    expect(cursor.length).toBeLessThanOrEqual(2_000);
    const place = decodeCursor(cursor, 'query');
    expect(place).toMatchObject({ commit, offset, shown: shown.slice(-150), began });
    expect(place.said).toEqual(said.slice(said.length - place.said.length));
    expect(place.said.length).toBe(Math.min(passages, pages > 150 ? 35 : 275));
  }
});

test.each([1.5, '1', 9e15, {}])('a cursor that began at %j is none', (odd) => {
  const [given, ...rest] = JSON.parse(
    Buffer.from(encodeCursor({ commit, offset }, 'q'), 'base64url').toString(),
  );
  const cursor = Buffer.from(JSON.stringify([given, ...rest, '', '', odd])).toString('base64url');
  expect(() => decodeCursor(cursor, 'q')).toThrow('does not belong');
});
