import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWiki } from '@pagetree/wiki';
import { expect, onTestFinished, test } from 'vitest';
import { createSite } from './site.ts';

const HOST = '127.0.0.1:7327';

test('a name that no wiki has is not found, and not repeated in a link that leads elsewhere', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'pagetree-web-'));
  const host = { backend: 'local', versions: {}, problems: [] };
  const opened = await openWiki({ directory, wiki: null, placement: 'local', host });
  onTestFinished(async () => {
    await opened.close();
    rmSync(directory, { recursive: true });
  });
  const site = createSite({
    wiki: opened.wiki,
    scope: null,
    hosts: [HOST],
    stylesheet: '',
    script: '',
    diagrams: { html: '', scripts: '' },
    build: 'b1',
    log: () => {},
  });
  for (const address of ['/_/%2fx.org/search', '/_/%5cx.org/tags', '/_/main%0d%0a/changes', '/%2fx.org/A']) {
    const response = await site.fetch(new Request(`http://${HOST}${address}`, { headers: { host: HOST } }));
    expect(response.status, address).toBe(404);
    expect(await response.text()).not.toContain('x.org');
  }
});
