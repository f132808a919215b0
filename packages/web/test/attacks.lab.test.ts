import { openWiki } from '@pagetree/wiki';
import { callOperation, type Output, type Wiki } from '@pagetree/wiki/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { sampled } from '../../../labs/sample.ts';
import { temporaryDirectory } from '../../wiki/test/native-git.ts';
import { buildClientScript, buildGraphScript } from '../src/cli/assets/client-script.ts';
import { readStylesheet } from '../src/cli/assets/stylesheet.ts';
import { ACTION_MS, openChromium } from './open-chromium.ts';
import { siteOf } from './open-site.ts';
import { openForm, responseOf } from './posting.ts';
import attacks from './render/attacks.json' with { type: 'json' };
import { render } from './render/render.ts';
import { AUTHOR } from './writable-site.ts';

const HOST = 'wiki.test';
const ALL = attacks.flatMap(({ attacks }) => attacks);
/** The number of attacks on one page: each is rendered by itself, so that none hides another. */
const AT_ONCE = 12;
const GROUPS = Array.from({ length: Math.ceil(ALL.length / AT_ONCE) }, (_, at) =>
  ALL.slice(at * AT_ONCE, (at + 1) * AT_ONCE),
);

let browser: Browser;

beforeAll(async () => {
  browser = await openChromium();
});

afterAll(() => browser?.close());

describe(`${ALL.length} attacks in Chromium run no script, load nothing from elsewhere and navigate nowhere`, () => {
  test('without any policy, by the renderer alone', async () => {
    const pages = new Map<string, string>();
    for (const [index, group] of GROUPS.entries()) {
      const rendered = await Promise.all(group.map(async (attack) => (await render(attack)).html));
      const articles = rendered.map((html) => `<article>${html}</article>`).join('\n');
      pages.set(`/${index}`, `<!doctype html><title>x</title><main>${articles}</main>`);
    }
    const answer = async (url: URL) =>
      new Response(pages.get(url.pathname) ?? '', {
        headers: { 'content-type': 'text/html; charset=utf-8' },
      });
    expect(await visitAll(answer, [...pages.keys()])).toEqual({ visited: GROUPS.length, events: [] });
  });

  test('in the pages of the site the policy has nothing to stop', async () => {
    const wiki = await hostileWiki();
    const site = siteOf(wiki, HOST);
    const answer = (url: URL) => site.fetch(new Request(url, { headers: { host: HOST } }));
    const every = sampled(1, 10);
    const addresses = GROUPS.map((_, index) => `/main/attacks%20${index}`).filter(
      (_, index) => index % every === 0,
    );
    const views = ['/_/main/changes', '/_/main/problems', '/_/main/tags', '/_/main/search?q=alert'];
    views.push('/_/main/graph', '/_/main/graph?around=attacks%200&depth=3');
    expect(await visitAll(answer, [...addresses, ...views])).toEqual({
      visited: addresses.length + views.length,
      events: [],
    });
  });

  test('with the script of the pages, while a person types a search and looks at previews of links', async () => {
    const wiki = await hostileWiki();
    const groups = sampled(GROUPS, GROUPS.slice(0, 3));
    const content = groups.map((_, index) => `- [[attacks ${index}]]`).join('\n');
    await callOperation(wiki, 'write_page', { path: 'all', content }, CALL);
    const site = siteOf(wiki, HOST, await buildClientScript());
    const answer = (url: URL) => site.fetch(new Request(url, { headers: { host: HOST } }));
    let previews = 0;
    let found = 0;
    const act = async (page: Page) => {
      await page.getByRole('searchbox', { name: 'Search in this wiki' }).pressSequentially('attacks');
      const list = page.getByRole('list', { name: 'Pages found' });
      await list.getByRole('link').first().waitFor();
      found += await list.getByRole('link').count();
      await page.keyboard.press('Escape');
      const links = page.getByRole('article').getByRole('link', { name: /^attacks \d+$/ });
      for (const link of await links.all()) {
        await link.focus();
        await page.getByRole('tooltip').waitFor();
        previews += 1;
        await page.keyboard.press('Escape');
      }
    };
    const addresses = ['/main/all', ...groups.map((_, index) => `/main/attacks%20${index}`)];
    expect(await visitAll(answer, addresses, act)).toEqual({ visited: addresses.length, events: [] });
    process.stdout.write(
      `attacks with the script ${JSON.stringify({ pages: addresses.length, previews, found })}\n`,
    );
    expect(previews).toBeGreaterThan(groups.length / 2);
    expect(found).toBeGreaterThanOrEqual(addresses.length);
  });

  test('as titles and paths in the graph, with its script, while a person looks for them', async () => {
    const wiki = await hostileWiki();
    const titles = ALL.filter((attack) => !attack.includes('\n') && attack.length < 200).slice(0, 60);
    const content = titles.map((_, at) => `[[title ${at}]]`).join(' ');
    const changes = [
      ...titles.map((title, at) => {
        const text = `---\ntitle: ${JSON.stringify(title)}\n---\n# ${title}\n`;
        return { op: 'write', path: `title ${at}`, content: text };
      }),
      { op: 'write', path: "a' onerror=alert(1) x='/&lt;img src=x onerror=alert(1)&gt;", content },
    ];
    await callOperation(wiki, 'commit_changes', { message: 'Titles', changes }, CALL);
    const site = siteOf(wiki, HOST, '', {
      graph: await buildGraphScript(),
      notices: () => '',
      stylesheet: await readStylesheet(),
    });
    const answer = (url: URL) => site.fetch(new Request(url, { headers: { host: HOST } }));
    let drawn = 0;
    const act = async (page: Page) => {
      await page.locator('.graph[data-drawn]').waitFor();
      drawn += Number(await page.locator('.graph').getAttribute('data-drawn'));
      for (const words of ['onerror', 'script', 'javascript:']) {
        await page.getByLabel('Find in the picture').fill(words);
        await page.getByLabel('Find in the picture').press('Enter');
        await page.getByText(/^\d+ found\.$/).waitFor();
      }
    };
    const middle = new URLSearchParams({ around: changes.at(-1)?.path ?? '' });
    const addresses = ['/_/main/graph', `/_/main/graph?${middle}`];
    expect(await visitAll(answer, addresses, act)).toEqual({ visited: 2, events: [] });
    expect(drawn).toBeGreaterThan(2 * titles.length);
  });

  test('in the form of a page, in its preview and in a conflict, also as the message and the name of a file', async () => {
    const wiki = await hostileWiki();
    const site = siteOf(wiki, HOST, '', { author: AUTHOR });
    const groups = sampled(GROUPS, GROUPS.slice(0, 3));
    const forms = groups.map((_, index) => `/main/attacks%20${index}?view=edit`);
    const sent = new Map<string, () => Promise<Response>>();
    for (const [index, group] of groups.entries()) {
      const address = forms[index] ?? '';
      const message = group.join(' ').slice(0, 2_000);
      const send = async (fields: Record<string, string>, form = openForm(site, address, HOST)) => {
        const opened = await form;
        return responseOf(site, { ...opened, fields: { ...opened.fields, message, ...fields } });
      };
      sent.set(`/preview/${index}`, () => send({ content: group.join('\n\n'), do: 'preview' }));
      sent.set(`/conflict/${index}`, async () => {
        const form = await openForm(site, address, HOST);
        const content = group.toReversed().join('\n\n');
        const { page } = (await callOperation(
          wiki,
          'view_page',
          { path: `attacks ${index}` },
          CALL,
        )) as Output<'view_page'>;
        const version = page?.version;
        await callOperation(wiki, 'write_page', { path: `attacks ${index}`, content, version }, CALL);
        return send(
          { content: group.map((attack) => `${attack}x`).join('\n\n'), do: 'save' },
          Promise.resolve(form),
        );
      });
      sent.set(`/refused/${index}`, () => send({ content: group.join('\n'), token: 'none' }));
    }
    const statuses = new Map<number, number>();
    const answer = async (url: URL) => {
      const send = sent.get(url.pathname);
      if (send === undefined) return site.fetch(new Request(url, { headers: { host: HOST } }));
      const response = await send();
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      return response;
    };
    const stored = `/_/main/upload?${new URLSearchParams({ stored: groups[0]?.[0] ?? '', folder: groups[0]?.[1] ?? '' })}`;
    const { events } = await visitAll(answer, [...forms, ...sent.keys(), stored]);
    expect(events).toEqual([]);
    expect(Object.fromEntries(statuses)).toEqual({
      200: groups.length,
      403: groups.length,
      409: groups.length,
    });
  });

  test('and the test would see it if they did', async () => {
    const harm =
      '<img src=x onerror=alert(1)><img src="https://evil.example/a.png"><a href="javascript:alert(1)">x</a>';
    const answer = async () => new Response(harm, { headers: { 'content-type': 'text/html' } });
    const { events } = await visitAll(answer, ['/']);
    expect(events).toEqual([
      '/: asks for https://evil.example/a.png',
      '/: has onerror',
      '/: leads to javascript:',
      '/: runs a script',
    ]);
  });
});

const CALL = {
  caller: {
    author: { name: '<script>alert(1)</script>', email: '' },
    agent: '<img src=x onerror=alert(1)>',
  },
};

/** A wiki with all attacks, in its pages, messages and names of authors. */
async function hostileWiki(): Promise<Wiki> {
  const directory = temporaryDirectory();
  const host = { backend: 'local', versions: {}, problems: [] };
  const { wiki, close } = await openWiki({ directory, wiki: null, placement: 'local', host });
  onTestFinished(close);
  for (const [index, group] of GROUPS.entries()) {
    const content = group.join('\n\n');
    await callOperation(wiki, 'write_page', { path: `attacks ${index}`, content, message: group[0] }, CALL);
  }
  return wiki;
}

/** Opens each address, acts on everything there, and returns all that happened and must not. */
async function visitAll(
  answer: (url: URL) => Promise<Response>,
  addresses: readonly string[],
  act: (page: Page) => Promise<void> = async () => {},
) {
  const context = await browser.newContext();
  context.setDefaultTimeout(ACTION_MS);
  onTestFinished(() => context.close());
  const events = new Set<string>();
  let at = '';
  const note = (event: string) => events.add(`${at}: ${event}`);
  await context.route('**', async (route) => {
    const url = new URL(route.request().url());
    if (url.host !== HOST) {
      note(`asks for ${url}`);
      return route.abort();
    }
    const response = await answer(url);
    const headers = Object.fromEntries(response.headers);
    return route.fulfill({
      status: response.status,
      headers,
      body: Buffer.from(await response.arrayBuffer()),
    });
  });
  await context.addInitScript(watchScripts);
  const page = await context.newPage();
  page.on('dialog', (dialog) => dialog.dismiss());
  page.on('popup', () => note('opens a window'));
  let visited = 0;
  for (const address of addresses) {
    at = address;
    const response = await page.goto(`http://${HOST}${address}`);
    if (response?.status() === 200) visited += 1;
    await act(page);
    for (const event of await page.evaluate(actOnAll)) note(event);
    if (page.url() !== `http://${HOST}${address}`) note(`goes to ${page.url()}`);
    for (const frame of page.frames().slice(1)) {
      if (!frame.url().startsWith(`http://${HOST}/_/diagrams.`)) note(`has a frame of ${frame.url()}`);
    }
  }
  return { visited, events: [...events].toSorted() };
}

interface Watched {
  harm: Set<string>;
}

/** Runs in the browser before anything of the page. */
function watchScripts(): void {
  const watched = globalThis as unknown as Watched & Record<string, unknown>;
  watched.harm = new Set();
  for (const name of ['alert', 'confirm', 'prompt', 'write']) {
    watched[name] = () => watched.harm.add('runs a script');
  }
  document.addEventListener('securitypolicyviolation', ({ violatedDirective }) =>
    watched.harm.add(`breaks ${violatedDirective}`),
  );
}

/**
 * Runs in the browser: triggers every event that a handler could wait for, and returns the targets of all
 * links.
 */
async function actOnAll(): Promise<string[]> {
  const { harm } = globalThis as unknown as Watched;
  const types =
    'mouseover click focus blur toggle load error animationstart pointerover keydown input change'.split(' ');
  const root = document.querySelector('main') ?? document.body;
  for (const element of root.querySelectorAll('*')) {
    for (const { name } of element.attributes) if (name.startsWith('on')) harm.add(`has ${name}`);
    const { protocol } = element as HTMLAnchorElement;
    const leads = element.hasAttribute('href') ? protocol : undefined;
    if (leads !== undefined && !['http:', 'https:', 'mailto:'].includes(leads)) harm.add(`leads to ${leads}`);
    for (const type of types) {
      if (type !== 'click' || element.closest('a, summary, input') === null)
        element.dispatchEvent(new Event(type));
    }
  }
  await new Promise((resolve) => setTimeout(resolve, 30));
  return [...harm];
}
