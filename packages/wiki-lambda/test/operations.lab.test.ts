import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { startLambdaLab } from '../../../labs/lambda-lab/lambda-lab.ts';
import { operationSuite } from '../../wiki/test/operations/operation-suite.ts';
import { buildFunction, functionDirectory } from '../build.ts';
import { type LambdaPlace, lambdaBackend } from './lambda-backend.ts';

beforeAll(() => buildFunction());

describe('Lambda, local disk', () => {
  const { promise, resolve } = Promise.withResolvers<LambdaPlace>();
  let place: LambdaPlace;

  beforeAll(async () => {
    const directory = mkdtempSync(join(tmpdir(), 'wikis-'));
    const lab = await startLambdaLab({ code: functionDirectory, variables: { PAGETREE_DIR: directory } });
    place = { lab, directory };
    resolve(place);
  });
  afterAll(async () => {
    const { lab, directory } = await promise;
    await lab.stop();
    rmSync(directory, { recursive: true });
  });

  operationSuite(lambdaBackend('Lambda', () => place));
});
