import type { Site } from './measure-site.ts';
import { OTTERWIKI, serveOtterwiki } from './served.ts';

export interface TriedOtterwiki {
  site: Site | null;
  /** Why it is left out, if it is. */
  leftOut: string[];
}

/** Otterwiki with the pages of a work tree, or nothing if it does not show one of them in time: its pages name all others. */
export async function tryOtterwiki(repository: string, pages: readonly string[]): Promise<TriedOtterwiki> {
  const served = await serveOtterwiki(repository);
  const shown = await fetch(`${served.origin}/${pages[0]}`, { signal: AbortSignal.timeout(MAX_PAGE_MS) })
    .then(async (answer) => answer.ok && (await answer.text()) !== '')
    .catch(() => false);
  if (!shown) {
    await served.stop();
    const seconds = MAX_PAGE_MS / 1_000;
    return {
      site: null,
      leftOut: [`otterwiki ${OTTERWIKI} is left out: it showed no page within ${seconds} s.`],
    };
  }
  const site = {
    ...served,
    name: `otterwiki ${OTTERWIKI}`,
    pages: pages.map((path) => `/${path}`),
    searchFor: (words: string) => `/-/search/${encodeURIComponent(words)}`,
  };
  return { site, leftOut: [] };
}

/** With 10,000 pages it takes 0.6 s. */
const MAX_PAGE_MS = 20_000;
