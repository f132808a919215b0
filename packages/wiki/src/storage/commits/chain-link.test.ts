import { expect, it } from 'vitest';
import { FIRST_NAME, parseLink, targetOf } from './chain-link.ts';

const ONE = '1'.repeat(40);
const TWO = '2'.repeat(40);

it.each([true, false])('a link says whether native git brought its commit: %o', (adopted) => {
  const first = { parent: null, commit: ONE, adopted };
  expect(parseLink(FIRST_NAME, targetOf(first))).toEqual(first);
  const next = { parent: ONE, commit: TWO, adopted };
  expect(parseLink(ONE, targetOf(next))).toEqual(next);
});

it.each([
  '',
  'adopted-',
  ONE.slice(1),
  `${ONE}0`,
  `${ONE}.lock`,
  `${ONE}adopted-`,
  `x${ONE}`,
  `adopted-adopted-${ONE}`,
  'F'.repeat(40),
])('a damaged link stops the reader, which never goes on with %o', (target) => {
  expect(() => parseLink(TWO, target)).toThrow(
    expect.objectContaining({
      code: 'corrupt_chain',
      message: expect.stringContaining(TWO),
      data: { name: TWO },
    }),
  );
});
