import { expect, test } from 'vitest';
import { fileFault } from './file-faults.ts';

test('a setting before the first submodule is refused', () => {
  const content = Buffer.from('path = a\n[submodule "a"]\n');
  expect(fileFault('gitmodules', content)?.id).toBe('gitmodulesParse');
});

test.each(['x =', '[submodule "'])(
  'a line that goes on after %j is judged in time that grows with it',
  (start) => {
    const content = Buffer.from(`${start}${' '.repeat(900_000)}"`);
    expect(fileFault('gitmodules', content)?.id).toBe('gitmodulesParse');
  },
);

test.each([
  ['https://user:word@example.org:443/a', null],
  ['https://[::1]:443/a', null],
  ['https://user@', 'gitmodulesUrl'],
  ['https://example.org@/a.git', 'gitmodulesUrl'],
  ['ssh://-oProxyCommand=x@example.org/a', 'gitmodulesUrl'],
  ['ssh://example-host.org/a-b', null],
  ['ssh://-oProxyCommand=x/a', 'gitmodulesUrl'],
  ['https://user@-x/a', 'gitmodulesUrl'],
])(
  'the address %s of a submodule, which ssh may take for an option and git for one without a host',
  (url, fault) => {
    const content = Buffer.from(`[submodule "a"]\n\tpath = a\n\turl = ${url}\n`);
    expect(fileFault('gitmodules', content)?.id ?? null).toBe(fault);
  },
);
