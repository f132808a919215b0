import { expect, test } from 'vitest';
import { finishHtml, NOTES } from './finish-html.ts';
import { OwnElements } from './own-elements.ts';

test('MathML that we did not make is removed, even if a parser let it through', () => {
  const children = [{ type: 'element' as const, tagName: 'mtext', properties: { id: 'x' }, children: [] }];
  const math = { type: 'element' as const, tagName: 'math', properties: {}, children };
  const options = { own: new OwnElements(), ids: new Set<string>(), notes: NOTES };
  expect(finishHtml({ type: 'root', children: [math] }, options)).toEqual([
    {
      type: 'element',
      tagName: 'span',
      properties: {},
      children: [{ type: 'element', tagName: 'span', properties: {}, children: [] }],
    },
  ]);
});
