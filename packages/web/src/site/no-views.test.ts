import { expect, test } from 'vitest';
import { openSite } from '../../test/open-site.ts';

test('the search of a wiki that does not exist is not found, with and without words', async () => {
  const { get } = await openSite();
  for (const query of ['', '?q=a']) expect((await get(`/_/nowiki/search${query}`)).status, query).toBe(404);
  expect((await get('/_/main/search')).status).toBe(200);
});

test('the icon for which browsers ask is no error', async () => {
  const { get } = await openSite();
  expect((await get('/favicon.ico')).status).toBe(204);
});
