import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

const SET = { PAGETREE_FUNCTION: 'Pagetree:live', PAGETREE_SECRETS: 'pagetree/Pagetree' };

test('every setting is read', () => {
  expect(readConfig(SET)).toEqual({ wikiFunction: 'Pagetree:live', secretsUnder: 'pagetree/Pagetree' });
});

test.each(Object.keys(SET))('%s must be set: without it any secret of the account could be meant', (name) => {
  expect(() => readConfig({ ...SET, [name]: '' })).toThrow(name);
});
