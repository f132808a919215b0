import { expect, test } from 'vitest';
import { fileFault } from './file-faults.ts';

test.each([
  ['ssh://example-host.org/a-b', null],
  ['ssh://-oProxyCommand=x/a', 'gitmodulesUrl'],
  ['https://user@-x/a', 'gitmodulesUrl'],
])('the address %s of a submodule, which ssh may take for an option', (url, fault) => {
  const content = Buffer.from(`[submodule "a"]\n\tpath = a\n\turl = ${url}\n`);
  expect(fileFault('gitmodules', content)?.id ?? null).toBe(fault);
});
