import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

const LIVING = new AbortController().signal;
const room = async () => {};

/** Calls that begin when they may and end when they are asked to. */
function startCalls(turns: Turns, count: number) {
  const begun: number[] = [];
  const gates = Array.from({ length: count }, () => Promise.withResolvers<void>());
  const controllers = gates.map(() => new AbortController());
  const calls = gates.map(({ promise }, at) =>
    turns.run(controllers[at]?.signal ?? LIVING, () => {
      begun.push(at);
      return promise;
    }),
  );
  return { begun, gates, controllers, calls };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('calls run in their order, and no more at once than may', async () => {
  const { begun, gates, calls } = startCalls(new Turns(2, room), 5);
  await settle();
  expect(begun).toEqual([0, 1]);
  gates[1]?.reject(new Error('failed'));
  await expect(calls[1]).rejects.toThrow('failed');
  await settle();
  expect(begun).toEqual([0, 1, 2]);
  for (const { resolve } of gates) resolve();
  await Promise.all(calls.filter((_, at) => at !== 1));
  expect(begun).toEqual([0, 1, 2, 3, 4]);
});

test('a call that is cancelled while it waits never runs, and takes no turn from the next', async () => {
  const { begun, gates, controllers, calls } = startCalls(new Turns(1, room), 3);
  controllers[1]?.abort(new Error('cancelled'));
  await expect(calls[1]).rejects.toThrow('cancelled');
  gates[0]?.resolve();
  gates[2]?.resolve();
  await calls[2];
  expect(begun).toEqual([0, 2]);
});

test('no call runs before there is room for its answer', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { begun, gates, calls } = startCalls(new Turns(2, () => promise), 1);
  await settle();
  expect(begun).toEqual([]);
  resolve();
  gates[0]?.resolve();
  await calls[0];
  expect(begun).toEqual([0]);
});
