import { openChromium } from '../../../web/test/open-chromium.ts';
import { median } from '../median.ts';

/** The times of one kind of visit on a phone, in milliseconds. */
export interface Paints {
  visit: string;
  /** To the largest contentful paint: the median of all visits, and the longest. */
  p50: number;
  longest: number;
  /** To the first and the last byte of the page: the medians. Chromium reports the first one as it was before its delays. */
  firstByte: number;
  lastByte: number;
  /** The sum of the layout shifts of the visit that had most. CLS sums up only those that come close together. */
  shift: number;
}

export interface Visit {
  name: string;
  /** True if the browser has the style and the script from another page. */
  isSecond: boolean;
  network: typeof BY_ROUND_TRIP;
}

/**
 * Lighthouse's mobile network. Chromium delays each request and its answer, but not the connection before it: its
 * handshake would take one round trip more.
 */
export const BY_ROUND_TRIP = { latencyMs: 150, kilobitsDown: 1.6 * 1024, kilobitsUp: 750 };
/** The same network in the terms in which Lighthouse asks Chromium for it, so that handshakes are made up for. */
export const BY_LIGHTHOUSE = { latencyMs: 150 * 3.75, kilobitsDown: 1.6 * 1024 * 0.9, kilobitsUp: 750 * 0.9 };

const VISITS: readonly Visit[] = [
  { name: 'first visit', isSecond: false, network: BY_ROUND_TRIP },
  { name: "first visit, with Lighthouse's factors", isSecond: false, network: BY_LIGHTHOUSE },
  { name: "a further page, with Lighthouse's factors", isSecond: true, network: BY_LIGHTHOUSE },
];

/** Opens the pages in Chromium as a phone on a slow network does, each kind of visit `times` times. */
export async function measurePaints(
  origin: string,
  pages: readonly string[],
  times: number,
): Promise<Paints[]> {
  const browser = await openChromium();
  try {
    const measured: Paints[] = [];
    for (const visit of VISITS) {
      const seen: Seen[] = [];
      for (let at = 0; at < times; at += 1) {
        const [page = '', other = ''] = [pages[at % pages.length], pages[(at + 1) % pages.length]];
        seen.push(await visitOnce(browser, visit, origin + page, origin + other));
      }
      measured.push(summary(visit, seen));
    }
    return measured;
  } finally {
    await browser.close();
  }
}

/** The screen of Lighthouse's phone. */
const PHONE = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
};
const CPU_SLOWDOWN = 4;

export interface Seen {
  paint: number;
  firstByte: number;
  lastByte: number;
  shift: number;
}

/** Visits `other` first, without delays, if the visit is a second one. `cookie` is that of a session, as `name=value`. */
export async function visitOnce(
  browser: Awaited<ReturnType<typeof openChromium>>,
  { isSecond, network }: Visit,
  address: string,
  other: string,
  cookie?: string,
): Promise<Seen> {
  // A context has a cache of its own, empty at first.
  const context = await browser.newContext(PHONE);
  try {
    const page = await context.newPage();
    const [name = '', value = ''] = cookie?.split('=') ?? [];
    if (cookie !== undefined) await context.addCookies([{ name, value, url: address }]);
    if (isSecond) await page.goto(other, { waitUntil: 'networkidle' });
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: network.latencyMs,
      downloadThroughput: (network.kilobitsDown * 1024) / 8,
      uploadThroughput: (network.kilobitsUp * 1024) / 8,
    });
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    await page.goto(address, { waitUntil: 'networkidle', timeout: MAX_LOAD_MS });
    return await page.evaluate<Seen>(READ_PAINTS);
  } finally {
    await context.close();
  }
}

const MAX_LOAD_MS = 120_000;

/** Runs in the browser, which has kept what it painted until now. Late shifts have half a second more. */
const READ_PAINTS = `new Promise((resolve) => {
  const [{ responseStart, responseEnd }] = performance.getEntriesByType('navigation');
  const seen = { paint: 0, shift: 0, firstByte: responseStart, lastByte: responseEnd };
  const observe = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  observe('largest-contentful-paint', ({ startTime }) => { seen.paint = startTime; });
  observe('layout-shift', ({ value }) => { seen.shift += value; });
  setTimeout(() => resolve(seen), 500);
})`;

function summary({ name }: Visit, seen: readonly Seen[]): Paints {
  if (seen.some(({ paint }) => paint <= 0)) throw new Error(`Chromium reported no paint: ${name}.`);
  return {
    visit: name,
    p50: median(seen.map(({ paint }) => paint)),
    longest: Math.max(...seen.map(({ paint }) => paint)),
    firstByte: median(seen.map(({ firstByte }) => firstByte)),
    lastByte: median(seen.map(({ lastByte }) => lastByte)),
    shift: Math.max(...seen.map(({ shift }) => shift)),
  };
}
