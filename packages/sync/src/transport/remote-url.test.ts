import { expect, test } from 'vitest';
import { parseRemoteUrl } from './remote-url.ts';

test.each([
  ['https://github.com/team/wiki.git', { kind: 'http', shown: 'https://github.com/team/wiki.git' }],
  ['HTTPS://GitHub.com/team/wiki/', { kind: 'http', shown: 'https://github.com/team/wiki' }],
  ['https://example.org', { kind: 'http', shown: 'https://example.org' }],
  ['http://localhost:8080/main.git', { kind: 'http', shown: 'http://localhost:8080/main.git' }],
  ['http://127.0.0.1/main.git', { kind: 'http' }],
  ['http://[::1]:80/main.git', { kind: 'http' }],
  [
    'git@github.com:team/wiki.git',
    {
      kind: 'ssh',
      shown: 'ssh://github.com/team/wiki.git',
      user: 'git',
      host: 'github.com',
      port: null,
      path: 'team/wiki.git',
    },
  ],
  ['alias:~/wiki.git', { kind: 'ssh', user: null, host: 'alias', path: '~/wiki.git' }],
  [
    'ssh://git@example.org:2222/team/my%20wiki.git',
    { kind: 'ssh', shown: 'ssh://example.org:2222/team/my wiki.git', port: 2222, path: '/team/my wiki.git' },
  ],
  ['ssh://example.org/~me/wiki.git', { kind: 'ssh', path: '~me/wiki.git' }],
  ['ssh://[fe80::1]:22/wiki.git', { kind: 'ssh', host: 'fe80::1', shown: 'ssh://[fe80::1]:22/wiki.git' }],
  ['[fe80::1]:wiki.git', { kind: 'ssh', host: 'fe80::1', path: 'wiki.git' }],
  ['/srv/my wiki.git', { kind: 'file', shown: '/srv/my wiki.git', path: '/srv/my wiki.git' }],
  ['file:///srv/my%20wiki.git', { kind: 'file', path: '/srv/my wiki.git' }],
  ['C:\\wikis\\main.git', { kind: 'file', path: 'C:\\wikis\\main.git' }],
])('%s is an address', (text, expected) => {
  expect(parseRemoteUrl(text)).toMatchObject(expected);
});

test.each([
  ['', /space/],
  [' https://example.org/wiki.git', /space/],
  ['https://example.org/a\nb', /control/],
  ['git@example.org:a\u2028b.git', /control/],
  ['/srv/\u202Ewiki.git', /control/],
  [`https://example.org/${'a'.repeat(2_000)}`, /2000/],
  ['https://user:token@example.org/wiki.git', /user or a password/],
  ['https://token@example.org/wiki.git', /user or a password/],
  ['https://example.org/wiki.git?private_token=secret', /query/],
  ['https://example.org/wiki.git#secret', /fragment/],
  ['http://example.org/wiki.git', /https/],
  ['http://localhost.example.org/wiki.git', /https/],
  ['http://127.0.0.1.example.org/wiki.git', /https/],
  ['https://', /cannot be read/],
  ['--upload-pack=touch x', /hyphen/],
  ['ext::sh -c touch% x', /helpers/],
  ['fd::17', /helpers/],
  ['git://example.org/wiki.git', /cannot be used/],
  ['ftp://example.org/wiki.git', /cannot be used/],
  ['ssh://-oProxyCommand=touch/x', /host/],
  ['ssh://-oProxyCommand=touch@example.org/x', /user/],
  ['ssh://git:secret@example.org/x', /password/],
  ['ssh://example.org:0/x', /port/],
  ['ssh://example.org:99999/x', /port/],
  ['ssh://example.org', /cannot be read/],
  ['ssh://example.org/a%0Ab', /cannot be read/],
  ['-oProxyCommand=x:path', /hyphen/],
  ['example.org:-x', /hyphen/],
  ['exa mple.org:x', /host/],
  ['some/folder', /full path/],
  ['./folder', /full path/],
  ['~/wiki', /full path/],
  ['file://elsewhere/wiki.git', /cannot be read/],
  ['file:///wiki.git?a=b', /query/],
  ['file:///a%0Ab', /cannot be read/],
])('%j is refused', (text, sentence) => {
  const refusal = parseRemoteUrl(text);
  expect(refusal).toMatch(sentence);
  expect(refusal).not.toMatch(/secret|token/);
});
