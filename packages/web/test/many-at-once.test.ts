import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type OpenedWiki, openWiki } from '@pagetree/wiki';
import { aroundEach, callOperation } from '@pagetree/wiki/contract';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { noise } from '../../../labs/noise.ts';
import { Meter } from '../../mcp-server/test/attacks/meter.ts';
import { scriptAddress } from '../src/site/addresses.ts';
import { HOST, siteOf } from './open-site.ts';
import { ServedWeb } from './served-web.ts';

const LARGE_BYTES = 48_000_000;
/** For one file that is read, another that is sent, and memory that is not collected yet. */
const MAX_MB = 280;
const CALL = { caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: null } };

let directory: string;
let opened: OpenedWiki;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'pagetree-web-'));
  const host = { backend: 'local', versions: {}, problems: [] };
  opened = await openWiki({ directory, wiki: null, placement: 'local', host });
});

afterAll(async () => {
  await opened.close();
  rmSync(directory, { recursive: true });
});

describe.skipIf(platform() !== 'linux')('large files, by the memory that the kernel counts', () => {
  let web: ServedWeb;
  let file: URL;
  let page: URL;

  beforeAll(async () => {
    // Compresses to nothing smaller.
    const bytes = Buffer.alloc(LARGE_BYTES, noise(1_000_003));
    await callOperation(opened.wiki, 'put_attachment', { path: 'large.bin' }, { ...CALL, bytes });
    web = new ServedWeb(['--port', '0', '--dir', directory]);
    const address = await web.address();
    file = new URL('/_/main/files/large.bin', address);
    page = new URL('/main/Home', address);
    expect((await fetch(page)).status).toBe(200);
  });

  afterAll(() => web.stop('SIGKILL'));

  test('HEAD of a file, and GET of one that the browser has, do not read it', async () => {
    const meter = new Meter(web.process.pid ?? 0);
    const head = await fetch(file, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, `${LARGE_BYTES}`]);
    const headers = { 'if-none-match': head.headers.get('etag') ?? '' };
    expect((await fetch(file, { headers })).status).toBe(304);
    expect(meter.read().grownMb).toBeLessThan(20);
  });

  test('clients that read nothing are two, pages are answered meanwhile, and one too many is sent away', async () => {
    const meter = new Meter(web.process.pid ?? 0);
    const unread: Asking[] = [];
    // One after another: those who ask at once share one copy of the file.
    for (let at = 0; at < 2; at += 1) {
      const asking = askAndReadNothing(file);
      unread.push(asking);
      await asking.isBegun;
    }
    const begun = (status: number) => unread.filter(({ begin }) => begin.includes(` ${status} `));
    for (let at = 0; at < 113; at += 1) unread.push(askAndReadNothing(file));
    await expect.poll(() => begun(429).length).toBeGreaterThan(0);
    expect(begun(200)).toHaveLength(2);
    for (const { begin } of begun(429)) expect(begin.toLowerCase()).toContain('\r\nretry-after: 1\r\n');
    expect((await fetch(page)).status).toBe(200);
    expect(meter.read().grownMb).toBeLessThan(MAX_MB);
    for (const { socket } of unread) socket.destroy();
    expect(await Promise.all([1, 2, 3].map(() => sizeOfAnswer(file)))).toEqual(Array(3).fill(LARGE_BYTES));
    expect(meter.read().grownMb).toBeLessThan(MAX_MB);
  });
});

async function sizeOfAnswer(url: URL): Promise<number> {
  const { body } = await fetch(url);
  let bytes = 0;
  for await (const part of body ?? []) bytes += part.length;
  return bytes;
}

interface Asking {
  socket: Socket;
  /** The beginning of the answer. */
  begin: string;
  isBegun: Promise<void>;
}

/** Reads no more than the beginning of the answer. */
function askAndReadNothing({ hostname, port, host, pathname }: URL): Asking {
  const socket = connect(Number(port), hostname);
  const begun = Promise.withResolvers<void>();
  const asking: Asking = { socket, begin: '', isBegun: begun.promise };
  socket.once('data', (part) => {
    socket.pause();
    asking.begin = part.toString('latin1');
    begun.resolve();
  });
  socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  onTestFinished(() => {
    socket.destroy();
  });
  return asking;
}

describe('pages', () => {
  const ask = (site: ReturnType<typeof siteOf>, path: string, sent?: Promise<void>) =>
    site.fetch(new Request(`http://${HOST}/main/${path}`, { headers: { host: HOST } }), sent);

  test('eight at once are made', async () => {
    let running = 0;
    let most = 0;
    const eight = Promise.withResolvers<void>();
    const wiki = aroundEach(
      async () => opened.wiki,
      async (operation, run) => {
        if (operation !== 'view_page') return run();
        running += 1;
        most = Math.max(most, running);
        if (running === 8) eight.resolve();
        await eight.promise;
        // Those that need not wait come here first.
        for (let turn = 0; turn < 100; turn += 1) await setImmediate();
        running -= 1;
        return run();
      },
    );
    const site = siteOf(wiki);
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(site, 'Home')));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(most).toBe(8);
  });

  test('while eight are made, the script comes', async () => {
    const ended = Promise.withResolvers<void>();
    const wiki = aroundEach(
      async () => opened.wiki,
      async (_, run) => {
        await ended.promise;
        return run();
      },
    );
    const site = siteOf(wiki);
    const pages = Array.from({ length: 8 }, () => ask(site, 'Home'));
    const request = new Request(`http://${HOST}${scriptAddress('')}`, { headers: { host: HOST } });
    expect((await site.fetch(request)).status).toBe(200);
    ended.resolve();
    expect((await Promise.all(pages)).map(({ status }) => status)).toEqual(Array(8).fill(200));
  });

  test('clients that do not read theirs keep nobody from small pages, and hold a bounded number of large ones', async () => {
    const content = 'Words in a line.\n'.repeat(110_000);
    await callOperation(opened.wiki, 'write_page', { path: 'Large', content, message: 'Write' }, CALL);
    const site = siteOf(opened.wiki);
    const sent = Promise.withResolvers<void>();
    const statusOf = async (path: string) => (await ask(site, path, sent.promise)).status;
    let bytes = 0;
    for (let at = 0; at < 60; at += 1) {
      const answer = await ask(site, 'Large', sent.promise);
      if (answer.status === 429) break;
      bytes += (await answer.arrayBuffer()).byteLength;
    }
    expect(bytes).toBeGreaterThan(80_000_000);
    expect(bytes).toBeLessThanOrEqual(100_000_000);
    expect(await statusOf('Large')).toBe(429);
    for (let at = 0; at < 20; at += 1) expect(await statusOf('Home')).toBe(200);
    sent.resolve();
    expect(await statusOf('Large')).toBe(200);
  });
});
