import { describe } from 'vitest';
import { sampled } from '../../../../labs/sample.ts';
import { inProcess, looped } from './local-backends.ts';
import { operationSuite } from './operation-suite.ts';
import { blameOfMergesSuite } from './suites/blame.suite.ts';
import { namesSuite } from './suites/names.suite.ts';
import { unicodeFormsSuite } from './suites/unicode-forms.suite.ts';

// In the gate the envelope is seen in the Lambda lab.
describe.each(sampled([inProcess, looped], [inProcess]))('$name', operationSuite);

describe('pushes', () => blameOfMergesSuite(inProcess));

describe('names', () => {
  namesSuite(inProcess);
  unicodeFormsSuite(inProcess);
});
