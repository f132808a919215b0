import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

const SET = { PAGETREE_FUNCTION: 'Pagetree:live', PAGETREE_HOSTS: 'a.example,b.example' };

test('nothing is shown without a login, unless the setting says so', () => {
  expect(readConfig({ ...SET, PAGETREE_WITHOUT_LOGIN: 'true', PAGETREE_SCOPE: 'notes/' })).toEqual({
    aws: { function: 'Pagetree:live' },
    wiki: null,
    scope: expect.anything(),
    hosts: ['a.example', 'b.example'],
    problems: [],
  });
  for (const value of [undefined, '', 'false', '1', 'TRUE']) {
    const { problems } = readConfig({ ...SET, PAGETREE_WITHOUT_LOGIN: value });
    expect(problems).toEqual([expect.stringContaining('There is no login yet')]);
  }
});

test.each([
  [{ PAGETREE_FUNCTION: '' }, "must name the wiki's function"],
  [{ PAGETREE_HOSTS: '' }, 'must list the host names'],
  [{ PAGETREE_SCOPE: '../x/' }, 'scope'],
])('%j is a fault of the set-up', (wrong, problem) => {
  const { problems } = readConfig({ ...SET, PAGETREE_WITHOUT_LOGIN: 'true', ...wrong });
  expect(problems).toEqual([expect.stringContaining(problem)]);
});
