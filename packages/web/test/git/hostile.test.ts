import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { FLUSH, pktLine } from '@pagetree/wiki/pkt-line';
import { describe, expect, test } from 'vitest';
import { git } from '../../../wiki/test/native-git.ts';
import { readBody } from '../../src/git/read-body.ts';
import { Room } from '../../src/site/room.ts';
import { serveWiki } from './served-wiki.ts';

const NONE = '0'.repeat(40);

async function served() {
  const wiki = await serveWiki();
  const post = async (service: string, body: Uint8Array | string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${wiki.url}/git-${service}`, {
      method: 'POST',
      headers: { 'content-type': `application/x-git-${service}-request`, ...headers },
      body: body as BodyInit,
    });
    return { status: answer.status, text: Buffer.from(await answer.arrayBuffer()).toString('latin1') };
  };
  return { ...wiki, post, head: () => git(wiki.bare, ['rev-parse', 'main']) };
}

const V2 = { 'git-protocol': 'version=2' };

describe.each([
  ['upload-pack', {}],
  ['upload-pack', V2],
  ['receive-pack', {}],
] as const)('%s with %j', (service, headers) => {
  test('bytes that are no pkt-lines are refused, and the server goes on', async () => {
    const { post, clone } = await served();
    const bodies = ['zzzz', '0003', '0009wan', 'ffff', '-001', '0032want '];
    for (const body of bodies) {
      const { status, text } = await post(service, body, headers);
      expect([status, text], body).toEqual([400, expect.stringContaining('pkt-line')]);
    }
    await clone('copy');
  });

  test('a body of another type, or compressed in another way, is refused', async () => {
    const { post } = await served();
    expect(await post(service, '0000', { ...headers, 'content-type': 'text/plain' })).toMatchObject({
      status: 415,
    });
    expect(await post(service, '0000', { ...headers, 'content-encoding': 'br' })).toMatchObject({
      status: 415,
    });
    const cut = gzipSync(Buffer.alloc(10_000, '0')).subarray(0, 20);
    expect(await post(service, cut, { ...headers, 'content-encoding': 'gzip' })).toMatchObject({
      status: 400,
    });
    expect(await post(service, 'no gzip', { ...headers, 'content-encoding': 'gzip' })).toMatchObject({
      status: 400,
    });
  });

  test('a small body that becomes a large one is refused', async () => {
    const { post } = await served();
    const bomb = gzipSync(Buffer.alloc(110_000_000, '0000'));
    expect(bomb.length).toBeLessThan(200_000);
    expect(await post(service, bomb, { ...headers, 'content-encoding': 'gzip' })).toMatchObject({
      status: 413,
    });
  });
});

test('of what is too large without gzip only the beginning is kept, if it is read to its end', async () => {
  const memory = new Room(3_000_000);
  const body = Buffer.alloc(2_500_000, 'x');
  const request = () => new Request('http://127.0.0.1/', { method: 'POST', body });
  const refused = await readBody(request(), { most: 2_000_000, memory, drains: true }).catch(
    (error) => error,
  );
  expect([refused.status, Buffer.compare(refused.beginning, body.subarray(0, 65_536))]).toEqual([413, 0]);
  memory.takeIfFree(3_000_000);
});

test('what inflates without an end is refused while it inflates', async () => {
  let taken = 0;
  const block = gzipSync(Buffer.alloc(1_000_000));
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      taken += 1;
      controller.enqueue(block);
    },
  });
  const request = new Request('http://127.0.0.1/', {
    ...{ method: 'POST', body, duplex: 'half' },
    headers: { 'content-encoding': 'gzip' },
  } as RequestInit);
  const memory = new Room(4_000_000);
  await expect(readBody(request, { most: 3_000_000, memory })).rejects.toMatchObject({ status: 413 });
  expect(taken).toBeLessThan(1_000);
  // Nothing stays taken.
  memory.takeIfFree(4_000_000);
});

test('bodies take memory until it is given back, and one for which there is none is refused', async () => {
  const memory = new Room(3_000_000);
  const request = () => new Request('http://127.0.0.1/', { method: 'POST', body: Buffer.alloc(1_500_000) });
  const { bytes, share } = await readBody(request(), { most: 2_000_000, memory });
  expect(bytes.length).toBe(1_500_000);
  await expect(readBody(request(), { most: 2_000_000, memory })).rejects.toMatchObject({ code: 'busy' });
  share.keep(0);
  await readBody(request(), { most: 2_000_000, memory });
});

describe('a fetch', () => {
  const fetchOf = (...lines: string[]) =>
    Buffer.concat([
      pktLine('command=fetch'),
      Buffer.from('0001'),
      ...lines.map((line) => pktLine(line)),
      FLUSH,
    ]);

  test.each([
    ['of no object', ['want nothing', 'done'], 'ERR An object must be named by 40'],
    ['of one that is not there', [`want ${'e'.repeat(40)}`, 'done'], 'ERR The wiki has no object'],
    ['to a depth of 0', ['deepen 0'], 'ERR A depth must be'],
    ['to a depth that is no number', ['deepen 1e3'], 'ERR A depth must be'],
    ['of refs', ['want-ref refs/heads/main'], 'ERR There is no argument "want-ref"'],
    ['without a ref', ['deepen-not refs/heads/main'], 'is not supported here'],
  ])('%s is answered by words', async (_, lines, words) => {
    const { post } = await served();
    const { status, text } = await post('upload-pack', fetchOf(...lines), V2);
    expect([status, text]).toEqual([200, expect.stringContaining(words)]);
  });

  test('of too many objects is answered by words, and too many commits of the client count for less', async () => {
    const { post, head } = await served();
    const many = (name: string) =>
      Array.from({ length: 10_001 }, (_, at) => `${name} ${at.toString(16).padStart(40, '0')}`);
    const wants = await post('upload-pack', fetchOf(...many('want')), V2);
    expect(wants.text).toContain('ERR One fetch can name 9900 objects');
    const haves = await post('upload-pack', fetchOf(`want ${head()}`, ...many('have')), V2);
    expect(haves.text).toContain('PACK');
  });

  test('of another command, or of objects by SHA-256, is refused', async () => {
    const { post } = await served();
    const command = Buffer.concat([pktLine('command=object-info'), FLUSH]);
    expect((await post('upload-pack', command, V2)).text).toContain('ERR There is no command "object-info"');
    const sha256 = Buffer.concat([pktLine('command=ls-refs'), pktLine('object-format=sha256'), FLUSH]);
    expect(await post('upload-pack', sha256, V2)).toMatchObject({ status: 400 });
  });

  test('in version 0 without side bands is the pack alone, and without acknowledgments in detail', async () => {
    const { post, head } = await served();
    const body = Buffer.concat([pktLine(`want ${head()}`), FLUSH, pktLine('done')]);
    expect((await post('upload-pack', body)).text.slice(0, 16)).toBe('0008NAK\nPACK\0\0\0\u0002');
    const known = Buffer.concat([
      ...[pktLine(`want ${head()} side-band-64k`), FLUSH, pktLine(`have ${head()}`), pktLine('done')],
    ]);
    expect((await post('upload-pack', known)).text).toMatch(/^0031ACK [0-9a-f]{40}\n/);
  });
});

describe('a push', () => {
  test('of nothing is how git asks whether it is let in', async () => {
    const { post } = await served();
    expect(await post('receive-pack', '0000')).toEqual({ status: 200, text: '' });
  });

  test.each([
    ['that is no update', ['refs/heads/main']],
    ['with a name that has control characters', [`${NONE} ${NONE} refs/heads/ma\u001b[2Jin`]],
    ['with an option of git for certificates', ['push-cert']],
    ['of very many refs', Array.from({ length: 1_001 }, (_, at) => `${NONE} ${NONE} refs/heads/${at}`)],
  ])('%s is refused', async (_, lines) => {
    const { post } = await served();
    const body = Buffer.concat([...lines.map((line) => pktLine(line)), FLUSH]);
    expect(await post('receive-pack', body)).toMatchObject({ status: 400 });
  });

  test('that deletes the branch, or names it twice, changes nothing', async () => {
    const { post, head } = await served();
    const before = head();
    const update = `${before} ${NONE} refs/heads/main`;
    const bodies = [
      [`${update}\0report-status`],
      [`${update}\0 report-status`, `${before} ${before} refs/heads/main`],
    ];
    const answers = await Promise.all(
      bodies.map((lines) =>
        post('receive-pack', Buffer.concat([...lines.map((line) => pktLine(line)), FLUSH])),
      ),
    );
    expect(answers.map(({ text }) => text)).toEqual([
      expect.stringContaining('ng refs/heads/main the branch of a wiki cannot be deleted'),
      expect.stringContaining('ng refs/heads/main the push names this ref twice'),
    ]);
    expect(head()).toBe(before);
  });
});

test('clients that leave in the middle of a clone leave their turns to others', async () => {
  const served = await serveWiki({
    around: (wiki) => ({
      ...wiki,
      send_objects: async (_input, call) => {
        call.takeBytes?.(Buffer.alloc(4_000_000));
        return { common: [], shallow: [], unshallow: [], objects: 1_000, content: null, next_cursor: 'x' };
      },
    }),
  });
  const body = Buffer.concat([
    pktLine('command=fetch'),
    Buffer.from('0001'),
    pktLine(`want ${'a'.repeat(40)}`),
    pktLine('done'),
    FLUSH,
  ]);
  for (let at = 0; at < 20; at += 1) {
    const leaving = new AbortController();
    const answer = await fetch(`${served.url}/git-upload-pack`, {
      ...{ method: 'POST', body, signal: leaving.signal },
      headers: { 'content-type': 'application/x-git-upload-pack-request', ...V2 },
    });
    const reader = answer.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    expect(Buffer.from(value ?? []).includes('packfile'), `${at}`).toBe(true);
    leaving.abort();
    await pause(30);
  }
});
