import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startLambdaLab } from '../../../labs/lambda-lab/lambda-lab.ts';
import { installRuntimeClient } from '../../../labs/lambda-lab/runtime-client.ts';
import { operationSuite } from '../../wiki/test/operations/operation-suite.ts';
import { buildFunction, functionDirectory } from '../build.ts';
import { type LambdaPlace, lambdaBackend } from './lambda-backend.ts';
import { runTestsInNfsLab } from './run-tests-in-nfs-lab.ts';

beforeAll(() => Promise.all([buildFunction(), installRuntimeClient()]));

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

test('those of several pages, requests and wikis, by three environments on three NFS clients', async ({
  signal,
}) => {
  const file = 'packages/wiki-lambda/test/in-nfs-lab/operations.ts';
  const { passed, failed } = await runTestsInNfsLab(file, { clients: 3, signal });
  expect(failed).toEqual([]);
  expect(passed).toBeGreaterThan(20);
});
