import { Agent, get as request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { processorMs, type Served } from './served.ts';

/** The requests to one site. */
export interface Site extends Served {
  name: string;
  /** The paths of the large pages. */
  pages: readonly string[];
  searchFor(words: string): string;
}

export interface Times {
  /** Median, in milliseconds, as the client sees it. */
  p50: number;
  p95: number;
  /** Processor time of the server for a request, in milliseconds. */
  processor: number;
}

export interface Figures {
  name: string;
  changed: Times;
  again: Times;
  unchanged: Times;
  search: Times;
  /** The number of unchanged requests that were answered with 304. */
  notModified: number;
  htmlBytes: number;
  /** HTML and every style sheet that it links to, as gzip makes them. */
  compressedBytes: number;
}

/** `change` changes a large page, by its number, on every site, and returns a text that it then shows. */
export async function measureSites(
  sites: readonly Site[],
  {
    runs,
    change,
    queries,
  }: { runs: number; change(page: number): Promise<string>; queries: readonly string[] },
): Promise<Figures[]> {
  const meters = sites.map((site) => new Meter(site));
  for (const meter of meters) await meter.warmUp(queries[0] ?? '');
  // In turns, so that what else the machine does befalls each of them.
  for (let run = 0; run < runs; run += 1) {
    const page = run % (sites[0]?.pages.length ?? 1);
    const shown = await change(page);
    for (const meter of meters) await meter.timeChanged(meter.site.pages[page] ?? '', shown);
    for (const meter of meters) await meter.time('again', meter.site.pages[page] ?? '');
    for (const meter of meters) await meter.timeUnchanged(meter.site.pages[page] ?? '');
  }
  for (const query of queries)
    for (const meter of meters) await meter.time('search', meter.site.searchFor(query));
  return Promise.all(meters.map((meter) => meter.figures()));
}

type Kind = 'changed' | 'again' | 'unchanged' | 'search';

class Meter {
  readonly site: Site;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #times: Record<Kind, { ms: number; processor: number }[]> = {
    changed: [],
    again: [],
    unchanged: [],
    search: [],
  };
  readonly #tags = new Map<string, string>();
  #notModified = 0;

  constructor(site: Site) {
    this.site = site;
  }

  async warmUp(query: string): Promise<void> {
    for (let round = 0; round < 3; round += 1) {
      for (const page of this.site.pages) await this.#fetch(page);
      await this.#fetch(this.site.searchFor(query));
    }
  }

  async time(kind: Kind, path: string, headers: Record<string, string> = {}): Promise<Answer> {
    const before = await processorMs(this.site.pid);
    const began = performance.now();
    const answer = await this.#fetch(path, headers);
    const ms = performance.now() - began;
    this.#times[kind].push({ ms, processor: (await processorMs(this.site.pid)) - before });
    return answer;
  }

  async timeChanged(path: string, shown: string): Promise<void> {
    const { body } = await this.time('changed', path);
    if (!body.includes(shown)) throw new Error(`${this.site.name} does not show the change of ${path}.`);
  }

  /** With the tag of the last answer, if there was one. */
  async timeUnchanged(path: string): Promise<void> {
    const tag = this.#tags.get(path);
    const { status } = await this.time('unchanged', path, tag === undefined ? {} : { 'if-none-match': tag });
    if (status === 304) this.#notModified += 1;
  }

  async figures(): Promise<Figures> {
    const { site } = this;
    const [page = ''] = site.pages;
    const html = await (await fetch(site.origin + page)).text();
    const sheets = [...html.matchAll(/<link\b[^>]*>/g)]
      .filter(([link]) => /rel=["']?stylesheet/.test(link))
      .map(([link]) => /href=["']?([^"'\s>]+)/.exec(link)?.[1] ?? '');
    let compressedBytes = gzipSync(html).length;
    for (const sheet of sheets) {
      const answer = await fetch(new URL(sheet.replaceAll('&amp;', '&'), site.origin));
      compressedBytes += gzipSync(await answer.text()).length;
    }
    this.#agent.destroy();
    return {
      name: site.name,
      changed: summary(this.#times.changed),
      again: summary(this.#times.again),
      unchanged: summary(this.#times.unchanged),
      search: summary(this.#times.search),
      notModified: this.#notModified,
      htmlBytes: Buffer.byteLength(html),
      compressedBytes,
    };
  }

  #fetch(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const asked = request(this.site.origin + path, { agent: this.#agent, headers }, (answer) => {
        const { statusCode: status = 0 } = answer;
        if (answer.headers.etag !== undefined) this.#tags.set(path, answer.headers.etag);
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part)).once('error', reject);
        answer.once('end', () =>
          status < 400
            ? resolve({ status, body: Buffer.concat(parts).toString() })
            : reject(new Error(`${this.site.name} answered ${status} for ${path}.`)),
        );
      });
      asked.once('error', (error) => {
        // Servers close connections that were idle for some seconds, which the other site's pages can take.
        if (asked.reusedSocket) resolve(this.#fetch(path, headers));
        else reject(new Error(`${this.site.name} did not answer ${path}.`, { cause: error }));
      });
    });
  }
}

interface Answer {
  status: number;
  body: string;
}

function summary(times: readonly { ms: number; processor: number }[]): Times {
  const sorted = times.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  const processor = times.reduce((sum, each) => sum + each.processor, 0) / times.length;
  return { p50: at(0.5), p95: at(0.95), processor };
}
