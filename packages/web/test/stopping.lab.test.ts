import { setTimeout } from 'node:timers/promises';
import { openWiki } from '@pagetree/wiki';
import { callOperation } from '@pagetree/wiki/contract';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../../wiki/test/native-git.ts';
import { ServedWeb } from './served-web.ts';

/** Starts a server. Returns its exit code and the seconds that it took to end after the signal. */
async function stopDuring(requests: readonly string[], directory: string, env: Record<string, string> = {}) {
  const web = new ServedWeb(['--port', '0', '--dir', directory], env);
  onTestFinished(async () => {
    await web.stop('SIGKILL');
  });
  const address = await web.address();
  expect((await fetch(`${address}/main/Home`)).status).toBe(200);
  const answers = Promise.allSettled(requests.map((path) => fetch(address + path)));
  // They have begun by then.
  await setTimeout(500);
  const started = performance.now();
  const code = await web.stop('SIGTERM');
  const seconds = (performance.now() - started) / 1_000;
  return { code, seconds, stderr: web.stderr, answers: await answers };
}

test('SIGTERM ends the server within 10 s during the slowest requests', async () => {
  const directory = temporaryDirectory();
  const host = { backend: 'local', versions: {}, problems: [] };
  const { wiki, close } = await openWiki({ directory, wiki: null, placement: 'local', host });
  const call = { caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: null } };
  const pages = {
    Links: '[[a]] '.repeat(300_000),
    Emphasis: '*a _b '.repeat(80_000),
    Lines: '\n'.repeat(1_990_000),
  };
  for (const [path, content] of Object.entries(pages)) {
    await callOperation(wiki, 'write_page', { path, content }, call);
    await callOperation(wiki, 'append_to_page', { path, content: 'More words here.\n' }, call);
  }
  await close();
  const views = ['', '?view=history', '?view=diff', '?view=blame'];
  const requests = [
    ...Object.keys(pages).flatMap((page) => views.map((view) => `/main/${page}${view}`)),
    '/_/main/problems',
    '/_/main/search?q=words',
  ];
  const { code, seconds, stderr, answers } = await stopDuring(Array(8).fill(requests).flat(), directory);
  expect(answers.some(({ status }) => status === 'rejected')).toBe(true);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(seconds).toBeLessThan(10);
});

test('SIGTERM ends the server within 10 s whatever it waits for', async () => {
  const neverCloses = 'import { Server } from "node:http"; Server.prototype.close = () => {};';
  const env = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(neverCloses)}` };
  const { code, seconds, stderr } = await stopDuring([], temporaryDirectory(), env);
  expect(code).toBe(1);
  expect(stderr).toContain('stopped with work unfinished after 9 s');
  expect(seconds).toBeLessThan(10);
});
