import { expect, test } from 'vitest';
import { startEngine } from './engines/engine.ts';
import { type EnginePlan, type Limits, measuredEngine } from './measure-engine.ts';
import { drawFrom } from './workload.ts';

const LIMITS: Limits = { warmUp: 1, operationSeconds: 20, callSeconds: 20, endsAt: Number.MAX_SAFE_INTEGER };
const draw = drawFrom({ pages: 10, commits: 10 }, [{ do: 'diff', path: 'page-000001.md', from: 'a commit' }]);

/** An engine whose pages are one string, to which writes append. `answer` may answer a command otherwise. */
function measured(
  counts: EnginePlan['counts'],
  answer = '',
  limits: Partial<Limits> = {},
  loadsIndex = false,
) {
  const program = `
    let page = '';
    const lines = require('node:readline').createInterface({ input: process.stdin });
    const print = (outcome) => console.log(JSON.stringify({ milliseconds: 1, peakRssMegabytes: 2, ...outcome }));
    lines.on('line', (line) => {
      const command = JSON.parse(line);
      ${answer}
      if (command.do === 'append') page += command.text;
      print({ text: page });
    });`;
  const all = { ...LIMITS, ...limits };
  return measuredEngine({ command: [], counts, wiki: '', loadsIndex }, all, {
    draw,
    async open() {
      const { run, end } = startEngine([process.execPath, '-e', program]);
      const opening = await run({ do: 'open', directory: '', workDirectory: '' }, all.callSeconds);
      return { opening, client: { run: (order, limit = all.callSeconds) => run(order, limit), end } };
    },
  });
}

test('the benchmark takes exactly the number of samples that it is asked for', async () => {
  const engine = measured({ write: 5 });
  expect(await engine.measure('write')).toMatchObject({ count: 5, stale: 0, failed: 0 });
  expect(await engine.measure('list')).toBeNull();
  await engine.end();
});

test('the first read of a new process includes opening the wiki', async () => {
  const engine = measured({ read_cold: 2 });
  expect(await engine.measure('read_cold')).toMatchObject({ count: 2, milliseconds: { median: 2 } });
  await engine.end();
});

test('a reader that does not see what another process acknowledged is reported as stale', async () => {
  const engine = measured({ read_warm: 3 });
  expect(await engine.measure('read_warm')).toBe('Every read was stale.');
  await engine.end();
});

test('an operation with a call that takes too long is left out, and the next operation is measured', async () => {
  const engine = measured({ recent: 3, history: 3 }, "if (command.do === 'recent') return;", {
    callSeconds: 3,
  });
  expect(await engine.measure('recent')).toBe('More than 3 s for recent.');
  expect(await engine.measure('history')).toMatchObject({ count: 3 });
  await engine.end();
});

test('an operation that always fails is reported with the reason', async () => {
  const engine = measured({ diff: 2 }, "if (command.do === 'diff') return print({ failure: 'KeyError' });");
  expect(await engine.measure('diff')).toBe('KeyError');
  await engine.end();
});

test('a listing that takes seconds is measured once, unless the first one loads an index', async () => {
  const slowAtFirst = `
    if (command.do === 'recent' && !globalThis.reported) {
      globalThis.reported = true;
      return print({ milliseconds: 9000 });
    }`;
  const slow = measured({ recent: 3 }, slowAtFirst);
  expect(await slow.measure('recent')).toMatchObject({ count: 1, milliseconds: { median: 9000 } });
  await slow.end();
  const loading = measured({ recent: 3 }, slowAtFirst, {}, true);
  expect(await loading.measure('recent')).toMatchObject({ count: 3, milliseconds: { median: 1 } });
  await loading.end();
});

test('no measurement begins after the end of the run', async () => {
  const engine = measured({ write: 5 }, '', { endsAt: Date.now() - 1 });
  expect(await engine.measure('write')).toBe('No time was left for it.');
  await engine.end();
});
