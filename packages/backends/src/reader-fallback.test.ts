import { expect, test } from 'vitest';
import type { FunctionClient } from './lambda-client.ts';
import { withReaderFallback } from './reader-fallback.ts';

const denied = Object.assign(new Error('not authorized to perform: lambda:InvokeFunction'), {
  name: 'AccessDeniedException',
});

/** A function that records what it is asked, and fails as long as it has errors. */
function functionNamed(name: string, calls: string[], errors: unknown[] = []): FunctionClient {
  return {
    async invoke(payload, signal) {
      calls.push(`${name} ${new TextDecoder().decode(payload)}${signal === undefined ? '' : ' with signal'}`);
      if (errors.length > 0) throw errors.shift();
      return name;
    },
    warm: async () => void calls.push(`${name} warm`),
    close: () => void calls.push(`${name} close`),
  };
}

const bytes = (text: string) => new TextEncoder().encode(text);
const { signal } = new AbortController();

test('a person who may only read is served by the function of readers, unchanged and from then on', async () => {
  const calls: string[] = [];
  const writer = functionNamed('writer', calls, [denied]);
  let opened = 0;
  const client = withReaderFallback(writer, async () => {
    opened += 1;
    return functionNamed('reader', calls);
  });
  await client.warm();
  expect(await client.invoke(bytes('one'), signal)).toBe('reader');
  expect(await client.invoke(bytes('two'), undefined)).toBe('reader');
  client.close();
  await new Promise((resolve) => setImmediate(resolve));
  expect(opened).toBe(1);
  expect(calls).toEqual([
    ...['writer warm', 'writer one with signal', 'reader one with signal', 'reader two'],
    ...['writer close', 'reader close'],
  ]);
});

test('any other failure of the function of writers is reported, and the next call asks it again', async () => {
  const calls: string[] = [];
  const failures = [
    new Error('throttled'),
    Object.assign(new Error('sts:AssumeRole'), { name: 'AccessDenied' }),
  ];
  const client = withReaderFallback(functionNamed('writer', calls, [...failures]), () => {
    throw new Error('The reader was opened.');
  });
  for (const failure of failures) await expect(client.invoke(bytes('x'), undefined)).rejects.toBe(failure);
  expect(await client.invoke(bytes('y'), undefined)).toBe('writer');
  client.close();
  expect(calls).toEqual(['writer x', 'writer x', 'writer y', 'writer close']);
});

test('a reader that cannot be opened is reported, and closing does not fail', async () => {
  const client = withReaderFallback(functionNamed('writer', [], [denied]), async () => {
    throw new Error('no region');
  });
  await expect(client.invoke(bytes('x'), undefined)).rejects.toThrow('no region');
  client.close();
});
