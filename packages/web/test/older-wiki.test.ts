import { connect, type Wiki } from '@pagetree/wiki/contract';
import { describe, expect, test } from 'vitest';
import { sampled } from '../../../labs/sample.ts';
import { storedContracts } from '../../wiki/test/contract/stored-contracts.ts';
import { functionOf, refusal, sideOf } from '../../wiki/test/contract/stored-side.ts';
import { HOST, openSite, siteOf } from './open-site.ts';

const sides = storedContracts().map(sideOf);

/** The sample takes the oldest version, the newest, and some between. */
const some = sides.filter((_, index) => index % 10 === 0 || index === sides.length - 1);

describe.each(sampled(sides, some))('a function of contract $version', (side) => {
  test('serves what it knows, and of the rest the page says that the deployed version is older', async () => {
    const { run, wiki } = await openSite();
    const { commit } = await run('write_page', {
      path: 'a/Page',
      content: '# Page\n\nWords. [[Home]] #tag\n',
    });
    const older = connect(functionOf(side, wiki));
    for (const address of [
      '/main/a/Page',
      `/main/a/Page?at=${commit}`,
      '/main/a/Page?view=history',
      `/main/a/Page?view=diff&to=${commit}`,
      '/main/a/Page?view=blame',
      '/main/a/',
      '/_/main/search?q=words',
      '/_/main/changes',
      `/_/main/commits/${commit}`,
      '/_/main/tags',
      '/_/main/problems',
    ]) {
      const { status, text } = await get(older, address);
      if (status === 200) continue;
      expect([status, text], address).toEqual([503, expect.stringContaining(OLDER)]);
      expect(text, address).toContain('pnpm deploy:aws');
    }
    if (side.knows('view_page')) expect((await get(older, '/main/a/Page')).text).toContain('Words.');
  });
});
const OLDER = '<h1>The deployed wiki is older than these pages</h1>';

test.each([
  ['older', { contract: 1 }, OLDER, 'pnpm deploy:aws'],
  ['newer', { contract: 999 }, '<h1>The deployed wiki is newer than these pages</h1>', 'update them'],
  [
    'of another build',
    { contract: sides.length, fingerprint: 'f' },
    '<h1>The deployed wiki is of another version than these pages</h1>',
    'both from the same version',
  ],
])(
  'a function that is %s and refuses a call says what to do, in plain words',
  async (_, states, title, cure) => {
    const wiki = connect(async () => refusal('There is no operation "list_tags".', states));
    const { status, text, headers } = await get(wiki, '/_/main/tags');
    expect([status, headers.get('retry-after')]).toEqual([503, null]);
    const main = text.slice(text.indexOf('<main'), text.indexOf('</main>'));
    expect(main).toContain(title);
    expect(main).toContain(cure);
    expect(main).not.toMatch(/list_tags|operation|contract|backend_|internal|again in a moment/);
  },
);

async function get(wiki: Wiki, address: string) {
  const response = await siteOf(wiki).fetch(
    new Request(`http://${HOST}${address}`, { headers: { host: HOST } }),
  );
  return { status: response.status, headers: response.headers, text: await response.text() };
}
