import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { InvokeCommand, type InvokeCommandOutput, LambdaClient } from '@aws-sdk/client-lambda';
import { afterEach, expect, test } from 'vitest';
import { type LambdaLab, type LambdaLabOptions, startLambdaLab } from './lambda-lab.ts';

/** A function that does what its event says, so that each test reads in one place. */
const code = `
import { setTimeout as wait } from 'node:timers/promises';
let calls = 0;
let ticks = 0;
setInterval(() => ticks++, 10).unref();
export async function handler(event, context) {
  calls += 1;
  console.log('call', calls);
  if (event.wait) await wait(event.wait);
  if (event.fail) throw new TypeError(event.fail);
  if (event.exit) process.exit(event.exit);
  if (event.grow) {
    const kept = [];
    for (;;) { kept.push(Buffer.alloc(8e6, 1)); await wait(20); }
  }
  if (event.size) return 'x'.repeat(event.size);
  return {
    calls, ticks, process: process.pid,
    arn: context.invokedFunctionArn, version: context.functionVersion, left: context.getRemainingTimeInMillis(),
    trace: process.env._X_AMZN_TRACE_ID, type: process.env.AWS_LAMBDA_INITIALIZATION_TYPE,
  };
}`;

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function codeDirectory(source: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'code-'));
  cleanUps.push(() => rm(directory, { recursive: true }));
  await writeFile(join(directory, 'index.mjs'), source);
  return directory;
}

async function start(options: Partial<LambdaLabOptions> = {}) {
  const lab = await startLambdaLab({ code: await codeDirectory(code), ...options });
  cleanUps.push(() => lab.stop());
  return { lab, ...clientOf(lab) };
}

function clientOf(lab: LambdaLab) {
  const client = new LambdaClient({
    endpoint: lab.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    maxAttempts: 1,
  });
  cleanUps.push(async () => client.destroy());
  const invoke = (event: object | string, FunctionName = lab.functionArn): Promise<InvokeCommandOutput> => {
    const Payload = typeof event === 'string' ? event : JSON.stringify(event);
    return client.send(new InvokeCommand({ FunctionName, Payload, LogType: 'Tail' }));
  };
  const call = async (event: object) => JSON.parse((await invoke(event)).Payload?.transformToString() ?? '');
  return { client, invoke, call };
}

test('a first call starts an environment, the next calls find it warm, and it is frozen between them', async () => {
  const { lab, call, invoke } = await start();
  const first = await call({});
  expect(first).toMatchObject({ calls: 1, arn: lab.functionArn, version: '1', type: 'on-demand' });
  expect(first.left).toBeGreaterThan(0);
  expect(first.left).toBeLessThanOrEqual(30_000);
  // It would count 300 ticks if it were not frozen.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const second = await call({});
  expect(second).toMatchObject({ calls: 2, process: first.process });
  expect(second.ticks - first.ticks).toBeLessThan(150);

  const answer = await invoke({});
  expect(answer.ExecutedVersion).toBe('1');
  const log = Buffer.from(answer.LogResult ?? '', 'base64').toString();
  expect(log).toMatch(/call 3/);
  expect(log).toMatch(
    /REPORT RequestId: [-0-9a-f]{36}\tDuration: [\d.]+ ms\t.*Memory Size: 512 MB\tMax Memory Used: \d+ MB/,
  );
  expect(log).not.toMatch(/Init Duration/);

  await lab.recycle();
  const cold = await invoke({});
  expect(Buffer.from(cold.LogResult ?? '', 'base64').toString()).toMatch(/Init Duration: [\d.]+ ms/);
});

test('provisioned environments wait before anyone calls', async () => {
  const { lab, call } = await start({ provisioned: 2 });
  const states = (await lab.environments()).map((environment) => environment.state);
  expect(states).toEqual(['idle', 'idle']);
  expect(await call({})).toMatchObject({ calls: 1, type: 'provisioned-concurrency' });
});

test('each simultaneous call gets its own environment, and calls beyond the limit are throttled', async () => {
  const { call } = await start({ concurrency: 3 });
  const calls = await Promise.allSettled(Array.from({ length: 5 }, () => call({ wait: 500 })));
  const processes = calls.flatMap((settled) =>
    settled.status === 'fulfilled' ? [settled.value.process] : [],
  );
  expect(new Set(processes).size).toBe(3);
  const errors = calls.flatMap((settled) => (settled.status === 'rejected' ? [settled.reason] : []));
  expect(errors).toHaveLength(2);
  for (const error of errors) {
    expect(error).toMatchObject({
      name: 'TooManyRequestsException',
      $metadata: { httpStatusCode: 429 },
      Reason: 'ReservedFunctionConcurrentInvocationLimitExceeded',
    });
  }
});

test('a function that takes too long is killed, and the next call starts a new environment', async () => {
  const { call, invoke } = await start({ timeoutMs: 1_000 });
  const answer = await invoke({ wait: 60_000 });
  expect(answer.FunctionError).toBe('Unhandled');
  expect(answer.Payload?.transformToString()).toMatch(
    /"Sandbox\.Timedout".*Task timed out after 1\.00 seconds/,
  );
  expect(await call({})).toMatchObject({ calls: 1 });
});

test('a function that takes too much memory is killed', async () => {
  const { invoke } = await start({ memoryMib: 128 });
  const answer = await invoke({ grow: true });
  expect(answer.Payload?.transformToString()).toMatch(/"Runtime\.ExitError".*signal: killed/);
});

test('an exception and an early exit of a function are function errors', async () => {
  const { invoke, call } = await start();
  const thrown = await invoke({ fail: 'no such thing' });
  expect(thrown).toMatchObject({ StatusCode: 200, FunctionError: 'Unhandled' });
  expect(JSON.parse(thrown.Payload?.transformToString() ?? '')).toMatchObject({
    errorType: 'TypeError',
    errorMessage: 'no such thing',
  });
  const ended = await invoke({ exit: 3 });
  expect(ended.Payload?.transformToString()).toMatch(/"Runtime\.ExitError".*exit status 3/);
  expect(await call({})).toMatchObject({ calls: 1 });
});

test('code that cannot be started fails with an error that says so', async () => {
  const { invoke } = await start({ code: await codeDirectory('throw new Error("not today");') });
  const answer = await invoke({});
  expect(answer.FunctionError).toBe('Unhandled');
  expect(answer.Payload?.transformToString()).toMatch(/not today/);
});

test('missing functions, versions and aliases, and malformed requests, are refused', async () => {
  const { lab, invoke } = await start();
  const bare = lab.functionArn.replace(/:live$/, '');
  expect((await invoke({}, 'pagetree:1')).ExecutedVersion).toBe('1');
  expect((await invoke({}, bare)).ExecutedVersion).toBe('$LATEST');
  for (const name of ['wiki', 'pagetree:green', 'pagetree:7', bare.replace('us-east-1', 'eu-west-1')]) {
    await expect(invoke({}, name)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  }
  await expect(invoke('{')).rejects.toMatchObject({
    name: 'InvalidRequestContentException',
    $metadata: { httpStatusCode: 400 },
  });
});

test('payloads of 6,291,556 bytes pass, one byte more does not', async () => {
  const { invoke } = await start();
  const padded = (bytes: number) => `{"pad":"${'x'.repeat(bytes - 10)}"}`;
  expect((await invoke(padded(6_291_556))).FunctionError).toBeUndefined();
  await expect(invoke(padded(6_291_557))).rejects.toMatchObject({ $metadata: { httpStatusCode: 413 } });
  // The reply is a JSON text, in quotes.
  expect((await invoke({ size: 6_291_554 })).FunctionError).toBeUndefined();
  const large = await invoke({ size: 6_291_555 });
  expect(large.Payload?.transformToString()).toMatch(/Function\.ResponseSizeTooLarge/);
});

test('the alias moves to a new version, and the old version can still be called', async () => {
  const { lab, invoke } = await start({ concurrency: 1 });
  await invoke({});
  lab.publish(await codeDirectory('export const handler = async () => "new";'));
  expect((await invoke({})).Payload?.transformToString()).toBe('"new"');
  expect((await invoke({}, 'pagetree:1')).ExecutedVersion).toBe('1');
});

test("the function continues the caller's trace", async () => {
  const { call } = await start();
  expect((await call({})).trace).toMatch(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24};Parent=[0-9a-f]{16};Sampled=1$/);
});

test('each provoked fault hits one call', async () => {
  const { lab, call, invoke } = await start();
  const denied = { status: 403, errorType: 'AccessDeniedException', message: 'User is not authorized' };
  lab.provoke({ kind: 'throttle', retryAfterSeconds: 1 });
  await expect(invoke({})).rejects.toMatchObject({
    name: 'TooManyRequestsException',
    retryAfterSeconds: '1',
  });
  lab.provoke({ kind: 'respond', ...denied });
  await expect(invoke({})).rejects.toMatchObject({ name: 'AccessDeniedException', message: denied.message });
  const lost = lab.provoke({ kind: 'lose-reply' });
  await expect(invoke({})).rejects.toMatchObject({ code: 'ECONNRESET' });
  await lost.struck;
  expect(await call({})).toMatchObject({ calls: 2 });
  lab.provoke({ kind: 'kill', afterMs: 50 });
  expect((await invoke({ wait: 25_000 })).Payload?.transformToString()).toMatch(/signal: killed/);
});

test('a call can be frozen half-way while other calls run', async () => {
  // The calls meanwhile take longer than one call may: the time of the frozen one stands still.
  const { lab, call } = await start({ timeoutMs: 5_000 });
  const frozen = lab.provoke({ kind: 'freeze', afterMs: 50 });
  let over = false;
  const first = call({ wait: 2_600 }).finally(() => {
    over = true;
  });
  await frozen.struck;
  const second = await call({ wait: 2_600 });
  await call({ wait: 2_600 });
  expect(over).toBe(false);
  frozen.release();
  expect(await first).toMatchObject({ calls: 1 });
  expect((await first).process).not.toBe(second.process);
});

test('a call that is frozen as it answers holds up no other call', async () => {
  const { lab, client, call } = await start();
  let wasAnswered = false;
  // The lab sees no answer while it spins. The spins become longer until an answer has come during one.
  for (let spinMs = 100; !wasAnswered; spinMs *= 2) {
    await lab.recycle();
    await call({});
    const frozen = lab.provoke({ kind: 'freeze', afterMs: 0 });
    let isAnswered = false;
    // Without the log, which comes only when the environment is done.
    const command = new InvokeCommand({ FunctionName: lab.functionArn, Payload: '{}' });
    const first = client.send(command).then(() => {
      isAnswered = true;
    });
    while (!(await lab.environments()).some(({ state }) => state === 'busy')) await setImmediate();
    for (const until = performance.now() + spinMs; performance.now() < until; );
    await frozen.struck;
    for (let turns = 0; turns < 1_000 && !isAnswered; turns += 1) await setImmediate();
    // The one environment that was used before is frozen: this call needs a new one.
    expect(await call({})).toMatchObject({ calls: 1 });
    wasAnswered = isAnswered;
    frozen.release();
    await first;
  }
});
