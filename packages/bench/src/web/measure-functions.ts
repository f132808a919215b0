import { startWebLab, type WebLab } from '../../../web/test/lambda/start-web-lab.ts';
import { openChromium } from '../../../web/test/open-chromium.ts';
import { median } from '../median.ts';
import { BY_LIGHTHOUSE, BY_ROUND_TRIP, type Seen, type Visit, visitOnce } from './measure-paint.ts';

/** Visits of pages that two functions show, each part in milliseconds: the median of all visits. */
export interface FunctionVisits {
  visit: string;
  /** The processors of each environment after its start. */
  processors: string;
  /** To the largest contentful paint. */
  paint: number;
  longest: number;
  /** The start of the function that shows pages; 0 if it ran. */
  webStart: number;
  /** The whole request to it, with its waits for the wiki's function. */
  webRequest: number;
  /** The start of the wiki's function, and its request: those of the call that ended last. */
  wikiStart: number;
  wikiRequest: number;
  /** The rest of the time to the paint: network, browser, and the way to the functions. */
  rest: number;
}

export interface MeasuredFunctions {
  functions: FunctionVisits[];
  /** The code that each function loads at its start. */
  loaded: WebLab['loaded'];
  leftOut: string[];
}

/** The processors that come with 1,769 MB on Lambda, as `web.memoryMib` is by default, and with 512 MB. */
const SHARES = [1, 0.29];

const VISITS: readonly (Visit & { isCold: boolean })[] = [
  { name: 'cold functions', isCold: true, isSecond: false, network: BY_ROUND_TRIP },
  {
    name: "cold functions, with Lighthouse's factors",
    isCold: true,
    isSecond: false,
    network: BY_LIGHTHOUSE,
  },
  {
    name: "warm functions, with Lighthouse's factors",
    isCold: false,
    isSecond: false,
    network: BY_LIGHTHOUSE,
  },
];

/**
 * Opens pages of a directory of wikis through the function that shows them and the wiki's function, in the Lambda lab.
 * Before a cold visit every environment of both is ended.
 */
export async function measureFunctions(
  directory: string,
  pages: readonly string[],
  times: number,
): Promise<MeasuredFunctions> {
  const browser = await openChromium();
  const functions: FunctionVisits[] = [];
  const leftOut: string[] = [];
  let loaded: MeasuredFunctions['loaded'] = { web: [], wiki: [] };
  const built = (code: typeof loaded) => {
    loaded = code;
  };
  try {
    for (const share of SHARES) {
      try {
        functions.push(...(await measureShare({ browser, directory, pages, times, share, built })));
      } catch (error) {
        // With 100,000 pages a function may not answer in time. The other figures took many minutes.
        leftOut.push(`Functions with ${String(share)} processors are left out: ${error}`);
      }
    }
    return { functions, loaded, leftOut };
  } finally {
    await browser.close();
  }
}

interface Measuring {
  browser: Awaited<ReturnType<typeof openChromium>>;
  directory: string;
  pages: readonly string[];
  times: number;
  share: number;
  built(code: MeasuredFunctions['loaded']): void;
}

async function measureShare({
  browser,
  directory,
  pages,
  times,
  share,
  built,
}: Measuring): Promise<FunctionVisits[]> {
  const lines: Record<'web' | 'wiki', string[]> = { web: [], wiki: [] };
  const optionsOf = (name: 'web' | 'wiki') => ({
    processorShare: share,
    timeoutMs: MAX_REQUEST_MS,
    onLine: (line: string) => void lines[name].push(line),
  });
  const lab = await startWebLab({ directory, ofWeb: optionsOf('web'), ofWiki: optionsOf('wiki') });
  built(lab.loaded);
  try {
    // The first start of all finds a wiki that no function has opened.
    const cookie = await lab.cookieOf();
    for (const page of pages) await show(lab.origin + page, cookie);
    const measured: FunctionVisits[] = [];
    for (const visit of VISITS) {
      const seen: Parts[] = [];
      for (let at = 0; at < times; at += 1) {
        const address = lab.origin + pages[at % pages.length];
        await prepare(lab, visit.isCold, address, cookie);
        for (const each of Object.values(lines)) each.length = 0;
        seen.push(partsOf(await visitOnce(browser, visit, address, '', cookie), lines));
      }
      measured.push(summary(visit.name, share, seen));
    }
    return measured;
  } finally {
    await lab.stop();
  }
}

/** The first request after 100,000 pages may take long. */
const MAX_REQUEST_MS = 300_000;

async function prepare(
  { web, wiki }: WebLab,
  isCold: boolean,
  address: string,
  cookie: string,
): Promise<void> {
  if (!isCold) return show(address, cookie);
  await web.recycle();
  await wiki.recycle();
}

async function show(address: string, cookie: string): Promise<void> {
  const answer = await fetch(address, { headers: { cookie } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${address} was answered ${answer.status}: ${text.slice(-1_000)}`);
}

type Parts = Omit<FunctionVisits, 'visit' | 'processors' | 'longest'>;

/** From what Lambda reports of each request. The first one to the function of pages is the page, and alone asks the wiki. */
function partsOf({ paint }: Seen, lines: Record<'web' | 'wiki', readonly string[]>): Parts {
  const [page] = reportsOf(lines.web);
  const [call] = reportsOf(lines.wiki).toSorted((a, b) => b.start + b.request - a.start - a.request);
  if (page === undefined || call === undefined) throw new Error('A function reported no request.');
  return {
    paint,
    webStart: page.start,
    webRequest: page.request,
    wikiStart: call.start,
    wikiRequest: call.request,
    rest: paint - page.start - page.request,
  };
}

function reportsOf(lines: readonly string[]): { start: number; request: number }[] {
  return lines
    .filter((line) => line.startsWith('REPORT'))
    .map((line) => ({
      start: Number(/Init Duration: ([\d.]+)/.exec(line)?.[1] ?? 0),
      request: Number(/\tDuration: ([\d.]+)/.exec(line)?.[1]),
    }));
}

function summary(visit: string, share: number, seen: readonly Parts[]): FunctionVisits {
  const of = (part: keyof Parts) => median(seen.map((each) => each[part]));
  return {
    visit,
    processors: String(share),
    longest: Math.max(...seen.map(({ paint }) => paint)),
    paint: of('paint'),
    webStart: of('webStart'),
    webRequest: of('webRequest'),
    wikiStart: of('wikiStart'),
    wikiRequest: of('wikiRequest'),
    rest: of('rest'),
  };
}
