import { join } from 'node:path';
import { openWiki } from '@pagetree/wiki';
import { idFor } from '@pagetree/wiki/anchor-ids';
import { type CallInput, callOperation, type OperationName, type Output } from '@pagetree/wiki/contract';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { expect, onTestFinished, test } from 'vitest';
import { languageDocs } from '../../../wiki/test/links/language-docs.ts';
import { git, temporaryDirectory } from '../../../wiki/test/native-git.ts';
import { commitFiles } from '../../../wiki/test/operations/local-backends.ts';
import { fileAddress, pageAddress } from '../../src/site/addresses.ts';
import { HOST, siteOf } from '../open-site.ts';
import { corpus, everyPage } from './corpora-config.ts';
import { harmIn } from './harmless.ts';

const WIKI = 'docs';

test('each page of foam-docs is shown, and each link that get_links resolves leads to its target', async () => {
  const { counts, ...wrong } = await showAll((repository) => {
    git('.', ['clone', '--quiet', '--bare', corpus('foam-docs.bundle'), repository]);
  }, 1);
  process.stdout.write(`foam-docs ${JSON.stringify(counts)}\n`);
  expect(counts).toMatchObject({ pages: 86, plain: 0, links: 193, 'links to headings': 52 });
  expect(wrong).toEqual({ missing: [], missingPlaces: [], harm: [] });
});

test('each page of the documentation in nine languages is shown, and its links lead to the resolved targets', async () => {
  const { counts, ...wrong } = await showAll((repository) => {
    git('.', ['init', '--quiet', '--bare', '--initial-branch=main', repository]);
    commitFiles(repository, languageDocs(null).files);
  }, everyPage);
  process.stdout.write(`i18n-docs ${JSON.stringify(counts)}\n`);
  expect(counts.plain).toBe(0);
  expect(wrong).toEqual({ missing: [], missingPlaces: [], harm: [] });
});

/**
 * Reads each nth page as a browser does, and follows its links. The place that a link names must be in the target,
 * unless check_wiki reports that the target has none.
 */
async function showAll(make: (repository: string) => void, nth: number) {
  const { run, get, beginAnew } = await openSite(make);
  const read = new Map<string, Promise<Article>>();
  /**
   * A page is shown as plain text if rendering takes too long, and the site remembers that. On a busy machine it gets
   * more tries, each in a new site.
   */
  const rendered = async (address: string) => {
    let article = articleIn(await get(address));
    for (let more = 4; article.isPlain && more > 0; more -= 1) {
      beginAnew();
      article = articleIn(await get(address));
    }
    return article;
  };
  const articleAt = (address: string) => {
    const article = read.get(address) ?? rendered(address);
    read.set(address, article);
    return article;
  };
  const counts = {
    pages: 0,
    plain: 0,
    links: 0,
    'links to headings': 0,
    'links to other elements': 0,
    'links to headings that check_wiki reports as broken': 0,
  };
  const broken = await brokenPlaces(run);
  const missing: string[] = [];
  const missingPlaces: string[] = [];
  const harm: string[] = [];
  for (const path of (await allPaths(run)).filter((_, index) => index % nth === 0)) {
    const article = await articleAt(pageAddress(WIKI, path));
    counts.pages += 1;
    if (article.isPlain) counts.plain += 1;
    harm.push(...article.harm.map((each) => `${path}: ${each}`));
    const { links_to, attachments } = await run('get_links', { wiki: WIKI, path });
    const pages = links_to.map((page) => pageAddress(WIKI, page));
    for (const address of [...pages, ...attachments.map((file) => fileAddress(WIKI, file))]) {
      counts.links += 1;
      if (!article.addresses.has(address)) missing.push(`${path}: ${address}`);
      else if (pages.includes(address)) await articleAt(address);
      else await get(address);
    }
    for (const [address, place] of article.places) {
      const target = /^(?:$|\?)/.test(address) ? `${pageAddress(WIKI, path)}${address}` : address;
      const isBroken = broken.has(`${path}: ${target}#${place}`);
      const kind = kindOfPlace((await articleAt(target)).ids.get(place), isBroken);
      if (kind === null) missingPlaces.push(`${path}: ${target}#${place}`);
      else counts[kind] += 1;
    }
  }
  return { counts, missing, missingPlaces, harm };
}

/** The count to which a link to a place belongs, by the tag of the element there; null if it must not be broken. */
function kindOfPlace(tag: string | undefined, isBroken: boolean) {
  if (tag !== undefined) return /^h[1-6]$/.test(tag) ? 'links to headings' : 'links to other elements';
  return isBroken ? 'links to headings that check_wiki reports as broken' : null;
}

/** The places that check_wiki does not find, each after the page with the link. */
async function brokenPlaces(run: Run): Promise<Set<string>> {
  const places = new Set<string>();
  let cursor: string | undefined;
  do {
    const { findings, next_cursor } = await run('check_wiki', {
      wiki: WIKI,
      kinds: ['broken_anchor'],
      limit: 200,
      ...(cursor && { cursor }),
    });
    for (const { path, detail } of findings) {
      const [, target = '', anchor = '""'] = /^(.*) has no (?:heading|block) (".*")$/.exec(detail) ?? [];
      places.add(`${path}: ${pageAddress(WIKI, target)}#${idFor(JSON.parse(anchor))}`);
    }
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
  return places;
}

async function openSite(make: (repository: string) => void) {
  const directory = temporaryDirectory();
  make(join(directory, `${WIKI}.git`));
  const host = { backend: 'local', versions: {}, problems: [] };
  const { wiki, close } = await openWiki({ directory, wiki: WIKI, placement: 'local', host });
  onTestFinished(close);
  const call = { caller: { author: { name: 'Ada', email: '' }, agent: 'test' } };
  async function run<Name extends OperationName>(name: Name, input: CallInput<Name>): Promise<Output<Name>> {
    return (await callOperation(wiki, name, input, call)) as Output<Name>;
  }
  let site = siteOf(wiki);
  const beginAnew = () => {
    site = siteOf(wiki);
  };
  async function get(address: string): Promise<string> {
    const response = await site.fetch(new Request(`http://${HOST}${address}`, { headers: { host: HOST } }));
    expect(response.status, address).toBe(200);
    return response.text();
  }
  return { run, get, beginAnew };
}

type Run = Awaited<ReturnType<typeof openSite>>['run'];

async function allPaths(run: Run): Promise<string[]> {
  const paths: string[] = [];
  let cursor: string | undefined;
  do {
    const { pages, next_cursor } = await run('list_pages', {
      wiki: WIKI,
      limit: 200,
      ...(cursor && { cursor }),
    });
    paths.push(...pages.map((page) => page.path));
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
  return paths;
}

interface Article {
  isPlain: boolean;
  addresses: Set<string>;
  /** Links to a place in a page: its address, empty for this page, and the id. */
  places: [address: string, id: string][];
  /** The tag of the element with each id. */
  ids: Map<string, string>;
  harm: string[];
}

type Node = DefaultTreeAdapterTypes.Node;

/** The text of a page without its frame, but with the links in its frontmatter. */
function articleIn(html: string): Article {
  const [, body = ''] = /<article>([\s\S]*)<\/article>/.exec(html) ?? [];
  const [, properties = ''] = /<footer class="page-end">([\s\S]*?)<\/table>/.exec(html) ?? [];
  const article: Article = {
    isPlain: body.includes('<pre class="plain-text">'),
    addresses: new Set(),
    places: [],
    ids: new Map(),
    harm: harmIn(body),
  };
  collect(parse(body + properties), article);
  return article;
}

function collect(node: Node, article: Article): void {
  for (const { name, value } of 'attrs' in node ? node.attrs : []) {
    if (name === 'id') article.ids.set(value, node.nodeName);
    if (name !== 'href' && name !== 'src') continue;
    const [address = '', place] = value.split('#');
    article.addresses.add(address);
    if (place !== undefined && !/^(https?:|\/_\/)/.test(address))
      article.places.push([address, decodeURIComponent(place)]);
  }
  if ('childNodes' in node) for (const child of node.childNodes) collect(child, article);
}
