import type { Element } from 'hast';
import { sanitize } from 'hast-util-sanitize';
import { expect, test } from 'vitest';
import { SCHEMA } from './sanitizer-schema.ts';

/** The links of a page are checked again after the sanitizer: this holds the sanitizer to it alone. */
test.each([
  ['https://example.org/', true],
  ['mailto:a@b.example', true],
  ['Page.md', true],
  ['javascript:alert(1)', false],
  ['JavaScript:alert(1)', false],
  ['vbscript:x', false],
  ['data:text/html,x', false],
  ['blob:x', false],
])('the sanitizer alone leaves %s in a link: %s', (href, isLeft) => {
  const link: Element = { type: 'element', tagName: 'a', properties: { href }, children: [] };
  expect(sanitize(link, SCHEMA)).toMatchObject({ tagName: 'a', properties: isLeft ? { href } : {} });
  expect(JSON.stringify(sanitize(link, SCHEMA)).includes(href)).toBe(isLeft);
});
