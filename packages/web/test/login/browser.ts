import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { readEvents } from '../read-events.ts';

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  location: string;
}

interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** A browser behind a proxy with TLS: it keeps cookies, and sends the headers that say where a request came from. */
export class TestBrowser {
  readonly cookies = new Map<string, string>();
  readonly #port: number;
  readonly #host: string;

  constructor(port: number, host: string) {
    this.#port = port;
    this.#host = host;
  }

  /** Another browser with the same cookies. */
  copy(): TestBrowser {
    const copy = new TestBrowser(this.#port, this.#host);
    for (const [name, value] of this.cookies) copy.cookies.set(name, value);
    return copy;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send(path, { headers: { ...NAVIGATION, ...headers } });
  }

  /** Sends a form as our own page does, unless `headers` say otherwise. */
  post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> {
    const own = { origin: `https://${this.#host}`, 'sec-fetch-site': 'same-origin' };
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = `${new URLSearchParams(fields)}`;
    return this.send(path, { method: 'POST', headers: { ...NAVIGATION, ...own, ...type, ...headers }, body });
  }

  async send(path: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent = { host: this.#host, ...(cookie !== '' && { cookie }), ...headers };
    const answer = await new Promise<Answer>((resolve, reject) => {
      const options = { host: '127.0.0.1', port: this.#port, path, method, headers: sent, agent: false };
      request(options, async (response) => {
        const parts: Buffer[] = [];
        for await (const part of response) parts.push(part);
        const { statusCode = 0, headers: answered } = response;
        const text = Buffer.concat(parts).toString();
        resolve({ status: statusCode, headers: answered, text, location: answered.location ?? '' });
      })
        .on('error', reject)
        .end(body);
    });
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) this.#keep(line);
    return answer;
  }

  /** Follows a stream of events. `leave` ends it as a closed tab does. */
  async follow(path: string) {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { host: this.#host, cookie, accept: 'text/event-stream', 'sec-fetch-mode': 'cors' };
    const asked = request({ host: '127.0.0.1', port: this.#port, path, headers, agent: false });
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      asked.on('response', resolve).on('error', reject).end(),
    );
    for (const line of response.headers['set-cookie'] ?? []) this.#keep(line);
    const events = readEvents(Readable.toWeb(response) as ReadableStream<Uint8Array>);
    return { status: response.statusCode ?? 0, events, leave: () => asked.destroy() };
  }

  #keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (name.startsWith('__Host-') && !/; Secure/i.test(line)) throw new Error(`No browser keeps ${line}`);
    if (/; Max-Age=0(;|$)/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

const NAVIGATION = { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' };
