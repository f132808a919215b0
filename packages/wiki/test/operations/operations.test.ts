import { describe } from 'vitest';
import { historySuite } from './history.suite.ts';
import { inProcess, looped } from './local-backends.ts';
import { movingSuite } from './moving.suite.ts';
import { namesSuite } from './names.suite.ts';
import { readingSuite } from './reading.suite.ts';
import { requestsSuite } from './requests.suite.ts';
import { writingSuite } from './writing.suite.ts';

describe.each([inProcess, looped])('$name', (backend) => {
  readingSuite(backend);
  writingSuite(backend);
  movingSuite(backend);
  historySuite(backend);
  requestsSuite(backend);
});

describe('names', () => namesSuite(inProcess));
