import { expect, test } from 'vitest';
import { openSite } from '../../test/open-site.ts';

test('a name that no wiki has is not found, and not repeated in a link that leads elsewhere', async () => {
  const { get } = await openSite();
  for (const address of ['/_/%2fx.org/search', '/_/%5cx.org/tags', '/_/main%0d%0a/changes', '/%2fx.org/A']) {
    const { status, text } = await get(address);
    expect(status, address).toBe(404);
    expect(text).not.toContain('x.org');
  }
});
