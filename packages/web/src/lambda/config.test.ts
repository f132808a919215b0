import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

const SET = {
  PAGETREE_FUNCTION: 'Pagetree-people:live',
  PAGETREE_ISSUER: 'https://issuer.example',
  PAGETREE_CLIENT_ID: 'pagetree',
  PAGETREE_KEYS: '/pagetree/Pagetree/web/keys',
  PAGETREE_RECORDS: 'Pagetree-web-records',
};

test('every setting is read', () => {
  const rest = { PAGETREE_ORIGIN: 'https://wiki.example.org', PAGETREE_CLIENT_SECRET: '/secret' };
  expect(readConfig({ ...SET, ...rest, PAGETREE_WIKI: 'team' })).toEqual({
    kind: 'config',
    config: {
      aws: { function: 'Pagetree-people:live' },
      wiki: 'team',
      origin: 'https://wiki.example.org',
      issuer: 'https://issuer.example',
      clientId: 'pagetree',
      parameters: { keys: '/pagetree/Pagetree/web/keys', clientSecret: '/secret' },
      records: 'Pagetree-web-records',
    },
  });
  expect(readConfig(SET)).toMatchObject({
    config: { wiki: null, origin: null, parameters: { clientSecret: null } },
  });
});

test.each([
  ...Object.keys(SET).map((name) => [name, '']),
  ['PAGETREE_ORIGIN', 'wiki.example.org'],
  ['PAGETREE_ORIGIN', 'https://wiki.example.org/'],
])('%s as %j is a fault of the set-up', (name, value) => {
  expect(readConfig({ ...SET, [name]: value })).toEqual({
    kind: 'problems',
    problems: [expect.stringContaining(name)],
  });
});
