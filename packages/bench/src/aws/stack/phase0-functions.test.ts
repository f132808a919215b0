import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { resourcesOf } from '../../../../infra/test/look-into.ts';
import type { Template } from '../../../../infra/test/synthesize.ts';
import { bundlesNamed } from '../../../test/bundles-named.ts';
import { studiesApp } from './synthesize.ts';

const outdir = mkdtempSync(join(tmpdir(), 'phase0-functions-'));
afterAll(() => rmSync(outdir, { recursive: true }));

const bundles = bundlesNamed();
const { app } = studiesApp({ bundles, sizesMib: [1], month: null }, outdir);
const studies: Template = app.synth().getStackByName('PagetreeStudies').template;
const functionNamed = (name: string) =>
  resourcesOf(studies, 'AWS::Lambda::Function').find(
    ([, { Properties }]) => Properties.FunctionName === `PagetreeStudies-${name}`,
  )?.[1].Properties ?? {};

test('dulwich has the memory of the published run, Python on arm64, and an Elastic file system of its own', () => {
  const { FileSystemConfigs, VpcConfig, ...dulwich } = functionNamed('dulwich');
  expect(dulwich).toMatchObject({
    MemorySize: 512,
    Runtime: 'python3.15',
    Handler: 'index.handler',
    Architectures: ['arm64'],
    Code: { S3Key: bundles.dulwich.zipKey },
    Environment: { Variables: { DULWICH_DIRECTORY: '/mnt/study/dulwich' } },
  });
  expect(JSON.stringify(FileSystemConfigs)).toContain('Dulwich');
  const [, files] =
    resourcesOf(studies, 'AWS::EFS::FileSystem').find(([id]) => id.startsWith('Dulwich')) ?? [];
  expect(files?.Properties.ThroughputMode).toBe('elastic');
  expect(VpcConfig).toEqual(functionNamed('probe').VpcConfig);
});

test('the empty function has the same memory, network and file system, on the runtime of the wiki', () => {
  const [dulwich, empty] = [functionNamed('dulwich'), functionNamed('empty')];
  expect(empty).toMatchObject({ Runtime: 'nodejs24.x', Code: { S3Key: bundles.empty.zipKey } });
  for (const part of ['MemorySize', 'VpcConfig', 'FileSystemConfigs', 'Architectures'])
    expect(empty[part]).toEqual(dulwich[part]);
});
