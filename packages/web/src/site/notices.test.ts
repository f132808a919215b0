import { expect, test } from 'vitest';
import { openSite } from '../../test/open-site.ts';

test('the licenses of what others wrote of the scripts are shown', async () => {
  const { get } = await openSite({ notices: () => 'The licenses' });
  expect(await get('/_/third-party-notices.txt')).toMatchObject({ status: 200, text: 'The licenses' });
});
