import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { readEmbeddings } from './config.ts';
import { openAiEmbedder } from './openai-embedder.ts';

interface Asked {
  path: string | undefined;
  key: string | undefined;
  body: { model: string; input: string[]; input_type?: string };
}

/** An endpoint that answers in its own way. */
async function endpoint(answer: (asked: Asked, response: ServerResponse) => void) {
  const asked: Asked[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    const body = JSON.parse(await text(request));
    asked.push({ path: request.url, key: request.headers.authorization, body });
    answer(asked.at(-1) as Asked, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`);
  return { asked, embedder: openAiEmbedder({ url, model: 'small', key: 'secret' }) };
}

function vectorsFor({ body }: Asked, response: ServerResponse): void {
  const data = body.input.map((text, index) => ({ index, embedding: [text.length, 1] }));
  response.end(JSON.stringify({ data: data.toReversed() }));
}

const signal = new AbortController().signal;

test('each text gets its vector, whatever the order of the answer', async () => {
  const { asked, embedder } = await endpoint(vectorsFor);
  const vectors = await embedder.embed(['a', 'bbb'], 'query', signal);
  expect(vectors.map((vector) => [...vector])).toEqual([
    [1, 1],
    [3, 1],
  ]);
  expect(asked).toEqual([
    {
      path: '/v1/embeddings',
      key: 'Bearer secret',
      body: { model: 'small', input: ['a', 'bbb'], input_type: 'query' },
    },
  ]);
});

test('an endpoint that takes no input_type is asked without it from then on', async () => {
  const { asked, embedder } = await endpoint((request, response) => {
    if (request.body.input_type === undefined) return vectorsFor(request, response);
    response.writeHead(400).end('Unrecognized request argument supplied: input_type');
  });
  await embedder.embed(['a'], 'document', signal);
  await embedder.embed(['b'], 'query', signal);
  expect(asked.map(({ body }) => body.input_type)).toEqual(['document', undefined, undefined]);
});

test.each<[string, (response: ServerResponse) => void, string]>([
  ['a refusal', (response) => void response.writeHead(401).end('bad key'), 'it answered 401.'],
  ['no JSON', (response) => void response.end('<html>'), 'its answer is not JSON'],
  [
    'no vector',
    (response) => void response.end('{"data":[]}'),
    'its answer does not have a vector for each text',
  ],
  [
    'words',
    (response) => void response.end('{"data":[{"embedding":["x"]}]}'),
    'does not have a vector for each text',
  ],
  ['a lost connection', (response) => void response.destroy(), 'it cannot be reached (UND_ERR_SOCKET)'],
  ['an endless answer', (response) => void response.end(' '.repeat(20_000_001)), 'its answer is too large'],
])('%s is an error that says what to check', async (_, answer, reason) => {
  const { embedder } = await endpoint((_request, response) => answer(response));
  await expect(embedder.embed(['a'], 'query', signal)).rejects.toMatchObject({
    code: 'backend_unavailable',
    text: {
      happened: expect.stringContaining(reason),
      atTerminal: expect.stringContaining('PAGETREE_EMBEDDINGS_KEY'),
    },
  });
});

test('an error repeats nothing of the texts or the address', async () => {
  const { embedder } = await endpoint(
    ({ body }, response) => void response.writeHead(422).end(JSON.stringify(body)),
  );
  await expect(embedder.embed(['Private text'], 'document', signal)).rejects.not.toThrow(/Private text/);
  const url = new URL('http://ada:secret@127.0.0.1:1/v1');
  const unreachable = openAiEmbedder({ url, model: 'small', key: null });
  await expect(unreachable.embed(['a'], 'query', signal)).rejects.not.toThrow(/secret/);
});

test('a silent endpoint is given up when the time is over', async () => {
  const { embedder } = await endpoint(() => {});
  const given = embedder.embed(['a'], 'query', AbortSignal.timeout(50));
  await expect(given).rejects.toMatchObject({
    text: { happened: expect.stringContaining('did not answer in time') },
  });
});

test('both settings are needed, and the address must be one', () => {
  const read = (address: string | null, model: string | null) => {
    const problems: string[] = [];
    return { config: readEmbeddings({ address, model, key: null }, problems), problems };
  };
  expect(read(null, null)).toEqual({ config: null, problems: [] });
  expect(read('http://localhost:11434/v1', 'bge-m3')).toMatchObject({
    config: { model: 'bge-m3' },
    problems: [],
  });
  expect(read('http://ada:secret@localhost/v1', 'bge-m3').problems).toEqual([
    expect.not.stringContaining('secret'),
  ]);
  expect(read('http://localhost', null).problems).toEqual([
    expect.stringContaining('PAGETREE_EMBEDDINGS_URL is set alone'),
  ]);
  expect(read('localhost:11434', 'bge-m3').problems).toEqual([
    expect.stringContaining('must be an address such as'),
  ]);
});
