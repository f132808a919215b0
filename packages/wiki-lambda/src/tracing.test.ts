import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createTracer } from './tracing.ts';

const root = '1-6b00e933-d0d94dd95b1babd9d1b7e667';
const header = `Root=${root};Parent=83e2365045e77bde;Sampled=1`;

interface Document {
  id: string;
  name: string;
  start_time: number;
  end_time: number;
  fault?: boolean;
  subsegments?: Document[];
}

function tracerWithLog() {
  const documents: Document[] = [];
  const tracer = createTracer({
    send: async (datagram) => {
      const [first = '', second = ''] = datagram.split('\n');
      expect(JSON.parse(first)).toEqual({ format: 'json', version: 1 });
      documents.push(JSON.parse(second));
    },
    clock: { now: Date.now, monotonic: () => performance.now() },
    randomBytes,
  });
  return { tracer, documents };
}

test('an operation is a child of the invocation, and phases are children of what they are part of', async () => {
  const { tracer, documents } = tracerWithLog();
  const work = async () => {
    await Promise.all([tracer.phase('look up', async () => {}), tracer.phase('upload', async () => {})]);
    await tracer.phase('link', () => tracer.phase('sync', async () => {}));
    return 'done';
  };
  const describe = (result: string) => ({ annotations: { outcome: result } });
  expect(await tracer.operation(header, 'write_page', work, describe)).toBe('done');
  expect(documents).toMatchObject([
    {
      name: 'write_page',
      type: 'subsegment',
      trace_id: root,
      parent_id: '83e2365045e77bde',
      annotations: { outcome: 'done' },
      subsegments: [
        { name: 'look up' },
        { name: 'upload' },
        { name: 'link', subsegments: [{ name: 'sync' }] },
      ],
    },
  ]);
  const [operation] = documents;
  for (const phase of operation?.subsegments ?? []) {
    expect(phase.id).toMatch(/^[0-9a-f]{16}$/);
    expect(phase.start_time).toBeGreaterThanOrEqual(operation?.start_time ?? Number.NaN);
    expect(phase.end_time).toBeLessThanOrEqual(operation?.end_time ?? Number.NaN);
  }
});

test('phases of two simultaneous operations are kept apart', async () => {
  const { tracer, documents } = tracerWithLog();
  const gate = Promise.withResolvers<void>();
  const one = tracer.operation(
    header,
    'one',
    () => gate.promise.then(() => tracer.phase('a', async () => {})),
    () => ({}),
  );
  await tracer.operation(
    header,
    'two',
    () => tracer.phase('b', async () => {}),
    () => ({}),
  );
  gate.resolve();
  await one;
  expect(documents.map(({ name, subsegments }) => [name, subsegments?.map((phase) => phase.name)])).toEqual([
    ['two', ['b']],
    ['one', ['a']],
  ]);
});

test('a failed phase is a fault, and an unfinished one is left out', async () => {
  const { tracer, documents } = tracerWithLog();
  const work = async () => {
    void tracer.phase('never', () => new Promise(() => {}));
    await tracer.phase('broken', () => Promise.reject(new Error('no')));
  };
  await expect(tracer.operation(header, 'write_page', work, () => ({}))).rejects.toThrow('no');
  expect(documents).toMatchObject([{ fault: true, subsegments: [{ name: 'broken', fault: true }] }]);
  expect(documents[0]?.subsegments).toHaveLength(1);
});

test.each([undefined, header.replace('Sampled=1', 'Sampled=0'), 'Root=1;Sampled=1', ''])(
  'nothing is sent for the header %j',
  async (unsampled) => {
    const { tracer, documents } = tracerWithLog();
    await tracer.operation(
      unsampled,
      'read_page',
      () => tracer.phase('head', async () => {}),
      () => ({}),
    );
    expect(documents).toEqual([]);
  },
);

test('a document fits a datagram, however many phases there were', async () => {
  const { tracer, documents } = tracerWithLog();
  const work = async () => {
    for (let i = 0; i < 1_000; i += 1) await tracer.phase('read', async () => {});
  };
  await tracer.operation(header, 'search_pages', work, () => ({}));
  expect(JSON.stringify(documents).length).toBeLessThan(60_000);
});
