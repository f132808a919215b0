import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DescribeTaskDefinitionCommand } from '@aws-sdk/client-ecs';
import { DescribeFileSystemsCommand } from '@aws-sdk/client-efs';
import { GetFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  type LambdaLab,
  type LambdaLabOptions,
  startLambdaLab,
} from '../../../../labs/lambda-lab/lambda-lab.ts';
import { installPythonPackages } from '../../../../labs/requirements.ts';
import { type Endpoint, lint, startEndpoint } from '../../../infra/test/endpoint.ts';
import { startFront } from '../../test/front-of-moto.ts';
import type { LocalServer } from '../../test/local-server.ts';
import { DULWICH } from '../storage/prepare.ts';
import { services, stores } from '../studies/jitter/record.ts';
import { type Aws, openAws } from './aws.ts';
import { type BuiltBundles, buildBundles } from './bundles.ts';
import { collect } from './collect.ts';
import { deploy } from './deploy.ts';
import { destroy } from './destroy.ts';
import { monthFrom } from './month.ts';
import { FUNCTIONS, GROUND_STACK } from './stack/names.ts';
import { synthesize } from './stack/synthesize.ts';
import { status } from './status.ts';
import { openAwsJitter, studiesOutputs } from './targets/jitter.ts';
import { systemsBeside } from './targets/phase0-beside.ts';
import { openAwsThroughput } from './targets/throughput.ts';

/*
 * moto 5.2.5 lacks the following, so this lab cannot show it: it makes no schedule, no bucket policy (the lab
 * makes one), has no quotas (the lab answers for them), no rule that lets a group out, no setting of
 * asynchronous invocations, no policy of a file system, no architecture, and mounts nothing. It does not
 * delete the endpoint, the definition of the task and route tables, of which the lab deletes the last. It
 * runs no function and no task: functions run here under AWS's runtime client, and the task by the very
 * command of its definition, both on a folder in place of EFS and on moto's S3. That each of the others is in
 * the template, and deleted with it, is shown by studies-stack.test.ts.
 */

const REGION = 'us-east-2';
const SIZES = [1, 3];
const root = mkdtempSync(join(tmpdir(), 'aws-lab-'));
const talk = { say: () => {}, agree: async () => true };

let moto: Endpoint;
let front: LocalServer;
let aws: Aws;
let bundles: BuiltBundles;
const labs = new Map<string, LambdaLab>();

beforeAll(async () => {
  moto = await startEndpoint(REGION);
  bundles = await buildBundles();
  front = await startFront(numbered(moto.url), { functionAt: labNamed, functionChanges, runTask, stackGoes });
  for (const [name, value] of Object.entries(credentials())) vi.stubEnv(name, value);
  vi.stubEnv('AWS_ENDPOINT_URL', front.url);
  aws = await openAws({ region: REGION });
  for (const [key, bundle] of [
    ['probe', bundles.probe],
    ['seed', bundles.seed],
    ['elastic', bundles.throughput],
    ['bursting', bundles.throughput],
    ['empty', bundles.empty],
  ] as const)
    labs.set(FUNCTIONS[key], await startFunction(key, await bundle.zip()));
  labs.set(
    FUNCTIONS.dulwich,
    await startFunction('dulwich', await bundles.dulwich.zip(), await pythonRuntime()),
  );
});
afterAll(async () => {
  for (const lab of labs.values()) await lab.stop();
  aws.close();
  front.stop();
  await moto.stop();
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true });
});

test('cfn-lint finds nothing in either template, with a month and without', async () => {
  for (const month of [null, monthFrom(new Date())]) {
    const templates = synthesize({ bundles, sizesMib: SIZES, month });
    for (const [name, template] of Object.entries(templates)) {
      const file = join(root, `${name}.template.json`);
      writeFileSync(file, template);
      expect(await lint(file)).toBe('');
    }
  }
});

test('it is deployed, with files on both stores, and deployed again without a change', async () => {
  const choices = { sizesMib: SIZES, month: true, now: new Date() };
  expect(await deploy(aws, choices, talk)).toContain('All is made.');

  const { CodeSha256, MemorySize, VpcConfig } = await aws.lambda.send(
    new GetFunctionConfigurationCommand({ FunctionName: FUNCTIONS.probe }),
  );
  expect(CodeSha256).toBe(
    createHash('sha256')
      .update(await bundles.probe.zip())
      .digest('base64'),
  );
  expect([MemorySize, VpcConfig?.SubnetIds?.length]).toEqual([10_240, 1]);
  const { FileSystems } = await aws.efs.send(new DescribeFileSystemsCommand({}));
  expect(FileSystems?.map(({ ThroughputMode }) => ThroughputMode).toSorted()).toEqual([
    'bursting',
    'elastic',
    'elastic',
    'elastic',
  ]);
  for (const size of SIZES) {
    const file = join(root, 'jitter', `${size}-MiB.bin`);
    expect(statSync(file).size).toBe(size * 2 ** 20);
  }
  const { asked, answer } = await seen(() => deploy(aws, choices, talk));
  expect(answer).toContain('All is made.');
  expect(asked).toContain('96 reads a day');
  expect(await status(aws, new Date())).toMatch(/CREATE_COMPLETE[\s\S]*2 files to read, 0 records of reads/);
});

test('one round of each study: every read is cold and of the same probe, by its hash', async () => {
  await motoGaps('bucket-policy', aws.bucket);
  const outputs = await studiesOutputs(aws);
  expect(outputs.Probe).toBe(bundles.probe.sha256);
  const jitter = await openAwsJitter(aws);
  for (const service of services)
    for (const store of stores)
      expect(await jitter.read(service, { store, sizes_mib: [...SIZES] })).toMatchObject({
        service,
        store,
        cold: true,
      });
  const burst = { id: 'a-burst', tasks: 2 };
  const both = [1, 2].map(() => jitter.read('fargate', { store: 'efs', sizes_mib: [3], burst }));
  expect(await Promise.all(both)).toMatchObject([{ burst }, { burst }]);
  const throughput = await openAwsThroughput(aws);
  for (const mode of ['elastic', 'bursting'] as const)
    expect(await throughput.write(mode, { bytes: 1000, files: 10 })).toMatchObject({
      bytes: 1000,
      files: 10,
    });
});

test('beside the wiki, dulwich does its cold start in one call, and the empty function does nothing', async () => {
  const [dulwich, empty] = await Promise.all(
    (await systemsBeside(() => openAws({ region: REGION }))).map(({ open }) => open()),
  );
  await dulwich?.forceCold();
  const { cold } = (await dulwich?.initCommitReadLog('repository')) ?? {};
  expect(Object.keys(cold ?? {})).toEqual(
    expect.arrayContaining(['start and import', 'init', 'commit', 'read', 'log']),
  );
  await dulwich?.commit('Page');
  expect(await dulwich?.landed(['Page', 'Other'])).toEqual(['Page']);
  expect(await empty?.read()).toMatchObject({ function_ms: expect.any(Number) });
  await Promise.all([dulwich?.close(), empty?.close()]);
});

test('records are collected once each, and reads that a schedule missed are reported', async () => {
  const file = join(root, 'collected', 'jitter.ndjson');
  const now = new Date();
  expect(await collect(aws, file, now, talk)).toBe(
    `Records that came: 6; that were here before: 0. They are in ${file}`,
  );
  expect(await collect(aws, file, now, talk)).toBe(
    `Records that came: 0; that were here before: 6. They are in ${file}`,
  );
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect(new Set(lines.map((line) => JSON.parse(line).key)).size).toBe(6);
});

test('it is destroyed, and nothing is left', async () => {
  expect(await destroy(aws, talk)).toBe('Nothing is left.');
  expect(await motoGaps('left')).toEqual({
    networks: [],
    natGateways: [],
    functions: [],
    fileSystems: [],
    buckets: [],
    logGroups: [],
    roles: [],
  });
  expect(await status(aws, new Date())).toBe(
    `Nothing of the studies is in account ${aws.account}, region ${REGION}.`,
  );
  expect(await destroy(aws, talk)).toBe('Nothing is left.');
});

/** A function of the lab: the bundle under the runtime client of AWS, with a folder as its file system. */
async function startFunction(
  key: keyof typeof FUNCTIONS,
  zip: Uint8Array,
  python: Pick<LambdaLabOptions, 'runtime' | 'variables'> = {},
): Promise<LambdaLab> {
  const code = join(root, 'code', key);
  const directory = join(root, key === 'probe' || key === 'seed' ? 'jitter' : key);
  for (const each of [code, directory]) mkdirSync(each, { recursive: true });
  const archive = join(root, 'code', `${key}.zip`);
  writeFileSync(archive, zip);
  execFileSync('python3', ['-m', 'zipfile', '-e', archive, code]);
  const places = { THROUGHPUT_DIRECTORY: directory, DULWICH_DIRECTORY: join(directory, 'dulwich') };
  return startLambdaLab({
    ...python,
    code,
    variables: { ...credentials(), ...variables(), ...places, ...python.variables },
  });
}

/** AWS's runtime client for Python. What the bundle has compiled for arm64, dulwich does without on this machine. */
async function pythonRuntime(): Promise<Pick<LambdaLabOptions, 'runtime' | 'variables'>> {
  const PYTHONPATH = await installPythonPackages([DULWICH, 'awslambdaric==4.2.2']);
  return { runtime: ['python3', '-m', 'awslambdaric', 'index.handler'], variables: { PYTHONPATH } };
}

function labNamed(name: string): LambdaLab {
  const lab = labs.get(name);
  if (lab === undefined) throw new TypeError(`There is no function ${name}.`);
  return lab;
}

/** As on AWS, the next call meets a new environment. */
async function functionChanges(name: string): Promise<void> {
  // The check of quotas names a function that does not exist.
  await labs.get(name)?.recycle();
}

/** The command of the definition, with moto's S3 in place of AWS's. */
async function runTask(definition: string, asked: Readonly<Record<string, string>>): Promise<number> {
  const { taskDefinition } = await aws.ecs.send(
    new DescribeTaskDefinitionCommand({ taskDefinition: definition }),
  );
  const { entryPoint = [], command = [] } = taskDefinition?.containerDefinitions?.[0] ?? {};
  expect(entryPoint).toEqual(['node']);
  const args = command.map((each) =>
    each.replace(/^https:\/\/([\w-]+)\.s3\.[\w-]+\.amazonaws\.com\//, `${numbered(moto.url)}/$1/`),
  );
  const child = spawn(process.execPath, args, {
    env: { ...credentials(), ...variables(), ...asked },
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  return code;
}

async function stackGoes(name: string): Promise<void> {
  if (name === GROUND_STACK) await motoGaps('route-tables');
}

async function motoGaps(...what: ['route-tables'] | ['left'] | ['bucket-policy', string]): Promise<unknown> {
  const { stdout } = await moto.python([
    fileURLToPath(new URL('../../test/moto_gaps.py', import.meta.url)),
    ...what,
  ]);
  return stdout === '' ? null : JSON.parse(stdout);
}

function credentials(): Record<string, string> {
  return { AWS_ACCESS_KEY_ID: 'testing', AWS_SECRET_ACCESS_KEY: 'testing', AWS_REGION: REGION };
}

function variables(): Record<string, string> {
  return {
    AWS_ENDPOINT_URL: numbered(moto.url),
    PROBE_DIRECTORY: join(root, 'jitter'),
    PROBE_BUCKET: aws.bucket,
  };
}

/** By number, the SDK does not put a bucket's name in front of it. */
function numbered(url: string): string {
  return url.replace('localhost', '127.0.0.1');
}

/** The questions before an action, and the action's answer. */
async function seen(act: () => Promise<string>): Promise<{ asked: string; answer: string }> {
  const agree = vi.spyOn(talk, 'agree');
  const answer = await act();
  const asked = String(agree.mock.lastCall);
  agree.mockRestore();
  return { asked, answer };
}
