import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { openWiki } from '@pagetree/wiki';
import {
  aroundEach,
  type CallInput,
  callOperation,
  type OperationName,
  type Output,
  type Scope,
  type WikiError,
} from '@pagetree/wiki/contract';
import { expect, onTestFinished } from 'vitest';
import { HOST, siteOf } from './open-site.ts';
import { readEvents } from './read-events.ts';

const ADA = { author: { name: 'Ada', email: 'ada@example.org' }, agent: 'claude-code/2.1' };

/** The waits of a site, which end when the test says so. */
class Waits {
  readonly #waiting = new Set<{ milliseconds: number; end: () => void }>();

  readonly pause = (milliseconds: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const wait = { milliseconds, end: resolve };
      this.#waiting.add(wait);
      signal.addEventListener('abort', () => {
        this.#waiting.delete(wait);
        reject(signal.reason);
      });
    });

  /** The lengths of the waits that have begun and not ended. */
  get lengths(): number[] {
    return [...this.#waiting].map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b);
  }

  /** Ends the waits that are so long, once there is one, and waits until as many have begun again. */
  async end(isDue: (milliseconds: number) => boolean): Promise<void> {
    const due = () => [...this.#waiting].filter(({ milliseconds }) => isDue(milliseconds));
    while (due().length === 0) await setImmediate();
    const ending = due();
    for (const wait of ending) {
      this.#waiting.delete(wait);
      wait.end();
    }
    while (due().length < ending.length) await setImmediate();
  }

  /** Every watcher looks once. */
  look = () => this.end((milliseconds) => milliseconds <= 10_000);
  beat = () => this.end((milliseconds) => milliseconds > 10_000);
}

/** A site whose pages follow changes, and whose clock is the test. `run` writes as Ada, with an agent. */
export async function openLive(scope: Scope | null = null) {
  const directory = mkdtempSync(join(tmpdir(), 'pagetree-live-'));
  const host = { backend: 'local', versions: {}, problems: [] };
  const opened = await openWiki({ directory, wiki: null, placement: 'local', host });
  onTestFinished(async () => {
    await opened.close();
    rmSync(directory, { recursive: true });
  });
  const asked: OperationName[] = [];
  let problem: WikiError | null = null;
  const wiki = aroundEach(
    async () => opened.wiki,
    async (name, run) => {
      asked.push(name);
      if (problem !== null) throw problem;
      return run();
    },
  );
  const begin = () => {
    const waits = new Waits();
    const site = siteOf(wiki, HOST, '', { pause: waits.pause, scope });
    onTestFinished(() => site.end());
    const request = async (address: string, headers: Record<string, string> = {}, method = 'GET') => {
      const leaving = new AbortController();
      const { signal } = leaving;
      const given = { method, headers: { host: HOST, ...headers }, signal };
      const sent = new Request(`http://${HOST}${address}`, given);
      const response = await site.fetch(sent);
      const leave = () => {
        leaving.abort();
        // A request that nobody holds is collected as garbage, and its signal is not told: https://github.com/nodejs/undici/issues/1926
        expect(sent.signal.aborted).toBe(true);
      };
      return { response, leave };
    };
    const follow = async (address: string, headers: Record<string, string> = {}) => {
      const { response, leave } = await request(address, headers);
      expect(response.status).toBe(200);
      const messages = readEvents(response.body as ReadableStream<Uint8Array>);
      return { next: async () => (await messages.next()).value, leave, messages };
    };
    return { waits, site, request, follow };
  };
  return {
    ...begin(),
    /** The site after the server was started again. */
    restart: begin,
    asked,
    fail: (error: WikiError | null) => {
      problem = error;
    },
    run: async <Name extends OperationName>(name: Name, input: CallInput<Name>) =>
      (await callOperation(opened.wiki, name, input, { caller: ADA })) as Output<Name>,
  };
}
