import { expect, test } from 'vitest';
import type { ErrorCode } from '../../src/contract/errors.ts';
import { type OperationName, operationNames, operations } from '../../src/contract/operations.ts';
import type { Cases } from './error-cases/cases.ts';
import { LOCAL_FILES } from './error-cases/local-files.ts';
import { READING } from './error-cases/reading.ts';
import { STORING } from './error-cases/storing.ts';
import { UNDOING } from './error-cases/undoing.ts';
import { WRITING } from './error-cases/writing.ts';

/** For each code that a row of the contract declares, a call that raises it. */
const cases: Partial<Record<OperationName, Cases>> = { ...READING, ...WRITING, ...UNDOING, ...STORING };
const all = operationNames.flatMap((operation) =>
  Object.entries(cases[operation] ?? {}).map(([code, raise]) => ({
    operation,
    code: code as ErrorCode,
    raise,
  })),
);

test('each declared code has a case, and no other code has one', () => {
  const declared = operationNames.flatMap((operation) =>
    operations[operation].errors.map((code) => `${operation} ${code}`),
  );
  const raised = [...all, ...LOCAL_FILES].map(({ operation, code }) => `${operation} ${code}`);
  expect(raised.toSorted()).toEqual(declared.toSorted());
});

test.each(all)('$operation raises $code', async ({ operation, code, raise }) => {
  expect((await raise(operation)).code).toBe(code);
});
