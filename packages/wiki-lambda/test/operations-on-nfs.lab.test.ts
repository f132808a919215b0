import { beforeAll, expect, test } from 'vitest';
import { installRuntimeClient } from '../../../labs/lambda-lab/runtime-client.ts';
import { buildFunction } from '../build.ts';
import { runTestsInNfsLab } from './run-tests-in-nfs-lab.ts';

beforeAll(() => Promise.all([buildFunction(), installRuntimeClient()]));

test('those of several pages, requests and wikis, by three environments on three NFS clients', async ({
  signal,
}) => {
  const file = 'packages/wiki-lambda/test/in-nfs-lab/operations.ts';
  const { passed, failed } = await runTestsInNfsLab(file, { clients: 3, signal });
  expect(failed).toEqual([]);
  expect(passed).toBeGreaterThan(20);
});
