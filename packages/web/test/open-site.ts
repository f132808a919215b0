import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWiki } from '@pagetree/wiki';
import {
  type CallInput,
  callOperation,
  type OperationName,
  type Output,
  type Wiki,
} from '@pagetree/wiki/contract';
import { onTestFinished } from 'vitest';
import { createSite, type Site } from '../src/site/site.ts';
import type { SiteOptions } from '../src/site/view-tools.ts';

export const HOST = '127.0.0.1:7327';

const ADA = { author: { name: 'Ada', email: 'ada@example.org' }, agent: 'claude-code/2.1' };

/** The site of a wiki, without styles and, by default, without a script. It answers this host alone. */
export function siteOf(wiki: Wiki, host = HOST, script = '', more: Partial<SiteOptions> = {}): Site {
  return createSite({
    wiki,
    scope: null,
    author: null,
    hosts: [host],
    stylesheet: '',
    script,
    editor: '',
    graph: { text: () => '', digest: 'none' },
    notices: () => '',
    diagrams: { html: () => '', digest: '', scripts: '' },
    build: 'b1',
    log: () => {},
    ...more,
  });
}

/** The site of a new wiki: `run` changes it as Ada, with an agent. Only with an author it can be written in the browser. */
export async function openSite(options: Parameters<typeof siteOf>[3] = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'pagetree-web-'));
  const host = { backend: 'local', versions: {}, problems: [] };
  const opened = await openWiki({ directory, wiki: null, placement: 'local', host });
  onTestFinished(async () => {
    await opened.close();
    rmSync(directory, { recursive: true });
  });
  const site = siteOf(opened.wiki, HOST, '', options);
  return {
    site,
    wiki: opened.wiki,
    directory,
    run: async <Name extends OperationName>(name: Name, input: CallInput<Name>) =>
      (await callOperation(opened.wiki, name, input, { caller: ADA })) as Output<Name>,
    get: async (address: string, headers: Record<string, string> = {}) => {
      const request = new Request(`http://${HOST}${address}`, { headers: { host: HOST, ...headers } });
      const response = await site.fetch(request);
      return { status: response.status, headers: response.headers, text: await response.text() };
    },
  };
}
