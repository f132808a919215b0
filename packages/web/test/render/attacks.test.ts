import { expect, test } from 'vitest';
import attacks from './attacks.json' with { type: 'json' };
import { harmIn } from './harmless.ts';
import { render } from './render.ts';

const ALL = attacks.flatMap(({ attacks }) => attacks);

test('there are some hundreds of attacks', () => {
  expect(new Set(ALL).size).toBeGreaterThanOrEqual(500);
});

test.each(attacks)('nothing harmful is left of: $source', async ({ attacks }) => {
  const harm: [attack: string, harm: string[]][] = [];
  for (const attack of attacks) {
    const { html } = await render(`${attack}\n\n- [x] after\n`);
    const found = html.includes('after') ? harmIn(html) : ['swallows what follows'];
    if (found.length > 0) harm.push([attack, found]);
  }
  expect(harm).toEqual([]);
});

test('nothing harmful is left of all attacks in one page, within a line and an open element', async () => {
  for (let at = 0; at < ALL.length; at += 25) {
    const some = ALL.slice(at, at + 25);
    const page = `<div>\n\n${some.join(' text ')}\n\n${some.join('\n\n')}\n`;
    expect(harmIn((await render(page)).html), page).toEqual([]);
  }
});

test.each([
  '<script>x</script>',
  '<a href="javascript:x">',
  '<img src="//h.example/x.png">',
  '<p style="x">',
  '<a href="?image=javascript%3Ax">x</a>',
  '<a href="?view=history">x</a>',
  '<svg></svg>',
  '<math><mtext><b>x</b></mtext></math><iframe></iframe>',
  '</main><p>x',
  '<!-- x -->',
  '<p id="ui.search">',
  '<input type="text">',
])('the judge sees the harm in %s', (html) => {
  expect(harmIn(html)).not.toEqual([]);
});
