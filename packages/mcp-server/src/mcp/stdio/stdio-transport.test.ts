import { PassThrough, Writable } from 'node:stream';
import { isJSONRPCRequest, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { StdioTransport } from './stdio-transport.ts';

/** The other end of the output: takes nothing before it is asked to. */
class Reader extends Writable {
  bytes = 0;
  /** The newest write. */
  text = '';
  #isReading = false;
  #next: (() => void) | null = null;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.bytes += chunk.length;
    this.text = chunk.toString();
    if (this.#isReading) setImmediate(done);
    else this.#next = done;
  }

  read(): void {
    this.#isReading = true;
    this.#next?.();
  }
}

const settle = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

async function open(answer: (transport: StdioTransport, message: JSONRPCMessage) => void) {
  const input = new PassThrough();
  const reader = new Reader();
  const transport = new StdioTransport(input, reader);
  const received: JSONRPCMessage[] = [];
  transport.onmessage = (message) => {
    received.push(message);
    answer(transport, message);
  };
  await transport.start();
  return { input, reader, transport, received };
}

const COUNT = 1_000;
const request = (id: number, params: Record<string, unknown> = {}) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list', params })}\n`;

test('a client that sends without reading gets no more answers than fit, and all of them once it reads', async () => {
  const text = 'x'.repeat(40_000);
  const { input, reader, transport, received } = await open((to, message) => {
    if (isJSONRPCRequest(message)) void to.send({ jsonrpc: '2.0', id: message.id, result: { text } });
  });
  for (let id = 0; id < COUNT; id += 1) {
    input.write(request(id));
    if (id % 20 === 0) await settle();
  }
  await settle();
  // 4 MB, and what came with one chunk.
  expect(received.length).toBeGreaterThan(90);
  expect(received.length).toBeLessThan(150);
  reader.read();
  input.end();
  await transport.ended;
  await transport.answered();
  expect(received.length).toBe(COUNT);
  expect(reader.bytes).toBeGreaterThan(COUNT * text.length);
});

test('a call waits for room while the client does not read, and goes on when it does', async () => {
  const { reader, transport } = await open(() => {});
  await transport.room();
  void transport.send({ jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(5_000_000) } });
  let hasRoom = false;
  const room = transport.room().then(() => {
    hasRoom = true;
  });
  await settle();
  expect(hasRoom).toBe(false);
  reader.read();
  await room;
});

test('progress does not fill the memory of a server whose client does not read, however long its token is', async () => {
  const { reader, transport } = await open(() => {});
  const params = { progressToken: 't'.repeat(1_000_000), progress: 1 };
  for (let at = 0; at < 100; at += 1)
    void transport.send({ jsonrpc: '2.0', method: 'notifications/progress', params });
  const answered = transport.send({ jsonrpc: '2.0', id: 1, result: {} });
  expect(reader.writableLength).toBeLessThan(6_000_000);
  reader.read();
  await answered;
  expect(JSON.parse(reader.text)).toMatchObject({ id: 1 });
});

test('a client that is gone has room, so that no call waits for it', async () => {
  const { reader, transport } = await open(() => {});
  void transport.send({ jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(5_000_000) } });
  const room = transport.room();
  reader.destroy(new Error('EPIPE'));
  await expect(room).resolves.toBeUndefined();
  await expect(transport.room()).resolves.toBeUndefined();
});

test('requests that wait for their answers do not fill the memory, and none is lost', async () => {
  const { input, reader, transport, received } = await open(() => {});
  reader.read();
  const long = 'x'.repeat(1_000_000);
  const most = 100;
  for (let id = 0; id < most; id += 1) {
    input.write(request(id, { long }));
    await settle();
  }
  expect(received.length).toBeGreaterThan(40);
  expect(received.length).toBeLessThan(44);
  input.end();
  for (let id = 0; id < most; id += 1) {
    await transport.send({ jsonrpc: '2.0', id, result: {} });
    await settle();
  }
  await transport.answered();
  expect(received.length).toBe(most);
});

test('an answer is one line for every reader, also with the line separators of Unicode', async () => {
  const { reader, transport } = await open(() => {});
  reader.read();
  const result = { text: 'one\u2028two\u2029three' };
  await transport.send({ jsonrpc: '2.0', id: 1, result });
  expect(reader.text).not.toMatch(/[\u2028\u2029]/);
  expect(JSON.parse(reader.text)).toMatchObject({ result });
});

test('answers to questions that nobody asked are dropped, however deep they nest', async () => {
  const { input, reader, received } = await open(() => {});
  reader.read();
  const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
  input.write(`{"jsonrpc":"2.0","id":"n","result":${deep}}\n`);
  input.write(`{"jsonrpc":"2.0","id":"n","error":{"code":1,"message":"x","data":${deep}}}\n`);
  input.write(request(1));
  await settle();
  expect(received).toMatchObject([{ id: 1 }]);
});

test('a request under the id of one that has no answer yet is refused, and the first one is answered', async () => {
  const { input, reader, transport, received } = await open(() => {});
  reader.read();
  input.write(request(7).repeat(3));
  await settle();
  expect(received).toHaveLength(1);
  expect(JSON.parse(reader.text)).toMatchObject({ error: { code: -32_600 } });
  expect(JSON.parse(reader.text)).not.toHaveProperty('id');
  await transport.send({ jsonrpc: '2.0', id: 7, result: {} });
  await transport.answered();
  input.write(request(7));
  await settle();
  expect(received).toHaveLength(2);
});

test('a thousand requests wait at most, however small they are, and none is lost', async () => {
  const { input, reader, transport, received } = await open(() => {});
  reader.read();
  const most = 3_000;
  for (let id = 0; id < most; id += 1) {
    input.write(request(id));
    if (id % 10 === 0) await settle();
  }
  expect(received.length).toBeGreaterThan(990);
  expect(received.length).toBeLessThan(1_030);
  for (let id = 0; id < most; id += 1) {
    await transport.send({ jsonrpc: '2.0', id, result: {} });
    if (id % 10 === 0) await settle();
  }
  await transport.answered();
  expect(received.length).toBe(most);
});

test('an input that ended before the transport was made has ended', async () => {
  const input = new PassThrough();
  input.end();
  input.resume();
  await new Promise((resolve) => input.once('end', resolve));
  await expect(new StdioTransport(input, new Reader()).ended).resolves.toBeUndefined();
});

test('an input that failed before the transport was made has ended', async () => {
  const input = new PassThrough();
  input.once('error', () => {});
  input.destroy(new Error('EIO'));
  await settle();
  await expect(new StdioTransport(input, new Reader()).ended).resolves.toBeUndefined();
});
