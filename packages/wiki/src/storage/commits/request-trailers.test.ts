import { expect, it } from 'vitest';
import { requestOf, trailerLines } from './request-trailers.ts';

const REQUEST = { requestId: '1', digest: 'abc', nonce: 'xyz' };
const LINES = trailerLines(REQUEST);

it('a commit names the request that made it in its last lines', () => {
  expect(requestOf({ message: `Write a page\n\n${LINES.join('\n')}\n` })).toEqual(REQUEST);
});

it.each([
  ['no line but one', ['Write a page']],
  ['no nonce', [...LINES.slice(0, 2), 'Nonce of another kind']],
  ['no digest', [LINES[0], 'text', LINES[2]]],
  ['no id', ['text', ...LINES.slice(1)]],
  ['an empty id', ['Request-Id: ', ...LINES.slice(1)]],
  ['another order', [LINES[1], LINES[0], LINES[2]]],
  ['a line below them', [...LINES, 'Signed-off-by: A. Writer']],
])('a message with %s names none, so its commit answers for no request', (_, lines) => {
  expect(requestOf({ message: `Write a page\n\n${lines.join('\n')}\n` })).toBeNull();
});
