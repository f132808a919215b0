import { expect, test } from 'vitest';
import { openSite } from '../../test/open-site.ts';

/** Addresses that nobody can answer, with a part of what the page says. */
const WRONG: Readonly<Record<string, string>> = {
  '/_/main/files/': 'This address names no file.',
  '/_/main/files/a//b.png': '&quot;a//b.png&quot; cannot be a page path',
  '/_/main/files/a.png?at=zz': '“zz” is no change of this wiki.',
  '/_/main/changes?since=x': '“x” is no day.',
  '/_/main/changes?until=2025-02-30': '“2025-02-30” is no day.',
  '/_/main/search?q=x&since=soon': '“soon” is no day.',
  '/_/main/search?tag=x&until=soon': '“soon” is no day.',
  '/_/main/changes?cursor=y': 'This address continues another list.',
  '/_/main/search?q=x&cursor=y': 'This address continues another list.',
  [`/_/main/search?q=${'x'.repeat(1_001)}`]: 'These words are too long to search for.',
  '/_/main/commits/zz': '“zz” is no change of this wiki.',
  '/_/main/commits/ffffffff': 'ffffffff',
  '/main/Home?at=soon': '“soon” is no day and no change of this wiki.',
  '/main/Home?at=ffffffff': 'ffffffff',
  '/main/Home?view=diff': 'The address names no change.',
  '/main/Home?view=diff&to=zz': '“zz” is no change of this wiki.',
  '/main/Home?view=diff&from=xx&to=zz': '“zz” is no change of this wiki.',
  '/main/Home?view=blame&at=zz': '“zz” is no day and no change of this wiki.',
  '/main/a//b': '&quot;a//b&quot; cannot be a page path',
  '/main/.git/config': '&quot;.git/config&quot; cannot be a page path',
  [`/main/${'a'.repeat(5_000)}`]: 'This name is too long for a page.',
  [`/${'a'.repeat(70)}/Home`]: 'There is no wiki of this name.',
};

test('an address that cannot be answered is explained in the words of a person', async () => {
  const { get } = await openSite();
  for (const [address, expected] of Object.entries(WRONG)) {
    const { status, text } = await get(address);
    const main = text.slice(text.indexOf('<main'), text.indexOf('</main>'));
    expect(Math.floor(status / 100), address).toBe(4);
    expect.soft(main, address).toContain(expected);
    expect.soft(main, address).not.toMatch(/Search for “(?:changes|search|commits|zz|f{8})”/);
    expect.soft(main, address).not.toMatch(/\w_\w|argument|--\w|command|cursor|commit id|Nothing was/);
  }
});
