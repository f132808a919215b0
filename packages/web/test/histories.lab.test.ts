import { join } from 'node:path';
import { openWiki } from '@pagetree/wiki';
import { callOperation, type Output } from '@pagetree/wiki/contract';
import { expect, onTestFinished, test } from 'vitest';
import { git, temporaryDirectory } from '../../wiki/test/native-git.ts';
import { pageAddress } from '../src/site/addresses.ts';
import { HOST, siteOf } from './open-site.ts';
import { corpus, everyHistory } from './render/corpora-config.ts';

const WIKI = 'foam';
const WORDS = ['The page then', 'What changed', 'Who wrote it', 'See the page as it is now', 'Older changes'];

test('each link of the histories of foam-docs leads to a page', async () => {
  const { paths, get } = await openFoamDocs();
  const counts: Record<string, number> = Object.fromEntries(WORDS.map((words) => [words, 0]));
  const broken: string[] = [];
  const seen = new Set<string>();
  const follow = async (words: string, address: string): Promise<void> => {
    counts[words] = (counts[words] ?? 0) + 1;
    if (seen.has(address)) return;
    seen.add(address);
    const { status, text } = await get(address);
    if (status !== 200) broken.push(`${words}: ${status} ${address}`);
    if (words !== 'The page then' && words !== 'Older changes') return;
    for (const [said, next] of linksIn(text)) if (WORDS.includes(said)) await follow(said, next);
  };
  const histories = paths.filter((_, index) => index % everyHistory === 0);
  for (const path of histories) await follow('Older changes', pageAddress(WIKI, path, { view: 'history' }));
  process.stdout.write(`foam-docs ${JSON.stringify({ histories: histories.length, ...counts })}\n`);
  expect(counts['The page then']).toBeGreaterThan(histories.length);
  expect(broken).toEqual([]);
});

async function openFoamDocs() {
  const directory = temporaryDirectory();
  git('.', ['clone', '--quiet', '--bare', corpus('foam-docs.bundle'), join(directory, `${WIKI}.git`)]);
  const host = { backend: 'local', versions: {}, problems: [] };
  const { wiki, close } = await openWiki({ directory, wiki: WIKI, placement: 'local', host });
  onTestFinished(close);
  const caller = { author: { name: 'Ada', email: '' }, agent: 'test' };
  const listed = await callOperation(wiki, 'list_pages', { limit: 200 }, { caller });
  const site = siteOf(wiki);
  const get = async (address: string) => {
    const response = await site.fetch(new Request(`http://${HOST}${address}`, { headers: { host: HOST } }));
    return { status: response.status, text: await response.text() };
  };
  return { paths: (listed as Output<'list_pages'>).pages.map(({ path }) => path), get };
}

/** The links of a page by their text. */
function linksIn(html: string): [said: string, address: string][] {
  return [...html.matchAll(/<a [^>]*?href="([^"]+)"[^>]*>([^<]*)<\/a>/g)].map(
    ([, address = '', said = '']) => [said, address.replaceAll('&amp;', '&').replaceAll('&#39;', "'")],
  );
}
