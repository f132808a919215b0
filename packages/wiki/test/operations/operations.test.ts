import { describe } from 'vitest';
import { inProcess, looped } from './local-backends.ts';
import { namesSuite } from './names.suite.ts';
import { operationSuite } from './operation-suite.ts';

describe.each([inProcess, looped])('$name', operationSuite);

describe('names', () => namesSuite(inProcess));
