import { expect, it } from 'vitest';
import { nativeView, newWiki, openWriter } from '../../../test/storage/writers.ts';
import { givenId, requestIdOf, requestNameOf } from './request-name.ts';

const TAIL = '7000-8000-000000000000';
const MADE_AT = Date.UTC(2026, 10, 20, 23, 59, 59, 999);
const UUID = uuidAt(MADE_AT);

it('two people who use one id get a commit each, and each of them gets it again', async () => {
  const directory = await newWiki();
  const { put } = await openWriter(directory);
  for (const kind of ['committed', 'repeated']) {
    for (const person of [undefined, 'ada', 'bob', 'Ada']) {
      expect(await put('Page.md', 'text', { requestId: '1', person })).toMatchObject({ kind });
    }
  }
  expect(nativeView(directory).commits).toHaveLength(4);
});

it('an id with a time is remembered in its hour under its whole text, for each caller', () => {
  const bucket = '2026-11-20T23';
  expect(requestNameOf(UUID)).toEqual({ bucket, name: UUID, madeAt: MADE_AT });
  const ofAda = requestIdOf(UUID, 'ada');
  expect(requestNameOf(ofAda)).toEqual({ bucket, name: ofAda, madeAt: MADE_AT });
  expect(requestNameOf(uuidAt(MADE_AT + 1)).bucket).toBe('2026-11-21T00');
});

it.each([
  `x${UUID}`,
  `${UUID}x`,
  `${UUID}-${UUID}`,
  UUID.toUpperCase(),
  UUID.replace('-7', '-4'),
  UUID.replace('-8000', '-c000'),
  UUID.replace(TAIL, '7000-8000-00000000000'),
  UUID.replace(TAIL, `${TAIL}@ada`),
  `${UUID}@${'1'.repeat(32)} and more`,
  // Later than any date that has four digits for its year.
  `ffffffff-ffff-${TAIL}`,
  uuidAt(Date.UTC(10_000, 0)),
  '1',
  '',
])('%o has no age, so it is remembered for as long as the wiki exists', (requestId) => {
  expect(requestNameOf(requestId)).toEqual({
    bucket: expect.stringMatching(/^named-[0-9a-f]$/),
    name: expect.stringMatching(/^[0-9a-f]{64}$/),
    madeAt: null,
  });
});

it('the last moment of the year 9999 is an age too', () => {
  expect(requestNameOf(uuidAt(Date.UTC(10_000, 0) - 1)).bucket).toBe('9999-12-31T23');
});

it('callers read the id that they gave, and all of it', () => {
  expect(givenId(requestIdOf('1', 'ada'))).toBe('1');
  const looksLikeOne = `a@${'1'.repeat(32)}b`;
  expect(givenId(looksLikeOne)).toBe(looksLikeOne);
});

function uuidAt(time: number): string {
  const digits = time.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-${TAIL}`;
}
