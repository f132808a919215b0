import { expect, test } from 'vitest';
import { parseFunctionName } from './function-name.ts';

test.each([
  ['pagetree', ['pagetree', null, null]],
  ['pagetree:live', ['pagetree', 'live', null]],
  ['pagetree:$LATEST', ['pagetree', '$LATEST', null]],
  ['000000000000:function:pagetree', ['pagetree', null, null]],
  ['arn:aws:lambda:eu-west-1:000000000000:function:pagetree', ['pagetree', null, 'eu-west-1']],
  ['arn:aws:lambda:eu-west-1:000000000000:function:pagetree:7', ['pagetree', '7', 'eu-west-1']],
])('%s is read', (text, expected) => {
  const { name, qualifier, region } = parseFunctionName(text) ?? {};
  expect([name, qualifier, region]).toEqual(expected);
});

test.each(['', 'a b', 'arn:aws:s3:::bucket', 'pagetree:', 'a'.repeat(65)])(
  '%j is not a function name',
  (text) => {
    expect(parseFunctionName(text)).toBeNull();
  },
);
