import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWiki } from '@pagetree/wiki';
import { type CallInput, callOperation, type OperationName, type Output } from '@pagetree/wiki/contract';
import { expect, onTestFinished, test } from 'vitest';
import { HOST, siteOf } from '../../../test/open-site.ts';

test('of a page that another process moved or deleted the first answer says so, with a link', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'pagetree-gone-'));
  const host = { backend: 'local', versions: {}, problems: [] };
  const options = { directory, wiki: null, placement: 'local', host } as const;
  const [here, there] = [await openWiki(options), await openWiki(options)];
  onTestFinished(async () => {
    await Promise.all([here.close(), there.close()]);
    rmSync(directory, { recursive: true });
  });
  const caller = { author: { name: 'Ada', email: 'ada@example.org' }, agent: null };
  const run = async <Name extends OperationName>(name: Name, input: CallInput<Name>) =>
    (await callOperation(there.wiki, name, input, { caller })) as Output<Name>;
  const site = siteOf(here.wiki);
  const get = async (path: string) => {
    const answer = await site.fetch(new Request(`http://${HOST}${path}`, { headers: { host: HOST } }));
    return answer.text();
  };
  await run('write_page', { path: 'Old', content: 'x\n' });
  expect(await get('/main/Old')).toContain('<p>x</p>');
  const { version } = await run('move_page', { path: 'Old', new_path: 'New' });
  expect(await get('/main/Old')).toContain('This page was moved to <a href="/main/New">New</a>.');
  await run('delete_page', { path: 'New', version: version ?? '' });
  expect(await get('/main/New')).toContain(
    'This page was deleted. <a href="/main/New?view=history">See its history</a>',
  );
  expect(await get('/main/Never')).not.toContain('gone');
});
