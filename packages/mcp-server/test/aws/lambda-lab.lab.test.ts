import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type LambdaLab, startLambdaLab } from '../../../../labs/lambda-lab/lambda-lab.ts';
import { buildFunction, functionDirectory } from '../../../wiki-lambda/build.ts';
import { builtServer } from '../built-server.ts';
import { git } from '../git.ts';
import { SdkClient } from '../sdk-client.ts';

/** The server over its real stdio, and behind it the real function in its real runtime. */
let lab: LambdaLab;
let directory: string;
let bundle: string;

beforeAll(async () => {
  await buildFunction();
  bundle = await builtServer();
  directory = mkdtempSync(join(tmpdir(), 'pagetree-lambda-'));
  lab = await startLambdaLab({
    code: functionDirectory,
    variables: { PAGETREE_DIR: directory },
    timeoutMs: 5_000,
  });
});

afterAll(() => lab.stop());

test('wiki_status says that the wiki is on Lambda', async () => {
  const client = await server();
  expect(await client.ok('wiki_status')).toMatchObject({ backend: 'lambda', wiki: 'main' });
});

test('author and agent of a write are those of the person and the client here', async () => {
  const client = await server();
  await client.ok('write_page', { path: 'Who', content: 'me\n' });
  const history = await client.ok('get_history', { path: 'Who' });
  expect(history.entries).toMatchObject([{ author: 'Ada <ada@example.org>', agent: 'sdk-client/1.2' }]);
});

test('after a reply that was lost behind the commit, the retry finds the write and does not repeat it', async () => {
  const client = await server();
  await client.ok('write_page', { path: 'Lost', content: 'begin\n' });
  const lost = lab.provoke({ kind: 'lose-reply' }, (payload) => payload.includes('append_to_page'));
  const written = await client.ok('append_to_page', { path: 'Lost', content: 'once' });
  await lost.struck;
  expect(written).toMatchObject({ changed: true });
  const page = await client.ok('read_page', { path: 'Lost' });
  expect(page).toMatchObject({ content: 'begin\nonce\n', version: written.version });
});

test('a write survives the death of its environment, and is made once', async () => {
  const client = await server();
  await client.ok('write_page', { path: 'Killed', content: 'begin\n' });
  let written = 'begin\n';
  let isKilled = false;
  // A quick environment may have answered before it dies.
  for (let tries = 0; tries < 100 && !isKilled; tries += 1) {
    const killed = lab.provoke({ kind: 'kill', afterMs: 3 }, (payload) => payload.includes('append_to_page'));
    void killed.struck.then(() => {
      isKilled = true;
    });
    await client.ok('append_to_page', { path: 'Killed', content: 'once' });
    written += 'once\n';
    expect((await client.ok('read_page', { path: 'Killed' })).content).toBe(written);
  }
  expect(isKilled).toBe(true);
});

test('throttling is waited out', async () => {
  const client = await server();
  const throttled = lab.provoke({ kind: 'throttle' }, (payload) => payload.includes('read_page'));
  expect(await client.ok('read_page', { path: 'Home' })).toMatchObject({ title: 'Home' });
  await throttled.struck;
});

test('a call that is cancelled ends at once, and the next one works', async () => {
  const client = await server();
  const held = lab.provoke({ kind: 'hold-reply' }, (payload) => payload.includes('list_pages'));
  const controller = new AbortController();
  const call = client.client.callTool({ name: 'list_pages', arguments: {} }, undefined, {
    signal: controller.signal,
  });
  const ended = expect(call).rejects.toThrow();
  await held.struck;
  controller.abort('enough');
  await ended;
  expect(await client.ok('read_page', { path: 'Home' })).toMatchObject({ title: 'Home' });
  held.release();
});

test('the repository is sound after all of these tests', async () => {
  expect(await git(join(directory, 'main.git'), 'fsck', '--strict')).not.toMatch(/error|missing|corrupt/);
});

async function server(): Promise<SdkClient> {
  const client = new SdkClient(process.execPath, [bundle], {
    AWS_ENDPOINT_URL_LAMBDA: lab.endpoint,
    PAGETREE_FUNCTION: lab.functionArn,
    PAGETREE_AUTHOR: 'Ada <ada@example.org>',
  });
  onTestFinished(() => client.close());
  return client.connect();
}
