import { describe, expect, test } from 'vitest';
import { atOnce } from '../../scheduling/in-turns.ts';
import { mentionSteps } from '../mentions/find-mentions.ts';
import { createLinkResolver } from '../text/links/link-resolver.ts';
import { scanBlocks } from '../text/markdown/markdown-blocks.ts';
import { scanInline } from '../text/markdown/markdown-links.ts';
import { asPlainText, leadTo, linkMention, type Replacement } from './fix-link.ts';

function firstLink(text: string) {
  const [link] = scanInline(text, scanBlocks(text)).links;
  if (link === undefined) throw new Error(`There is no link in ${text}.`);
  return link;
}

function withReplacement(text: string, replacement: Replacement | null): string | null {
  return replacement && text.slice(0, replacement.start) + replacement.text + text.slice(replacement.end);
}

describe('a link that a person lets lead to a page', () => {
  const resolver = createLinkResolver(['d/P.md', 'x/A.md', 'y/A.md', 'd/Near.md', 'x/[z].md']);
  const led = (text: string, wanted = 'x/A.md', inHeading = false) =>
    withReplacement(text, leadTo(firstLink(text), text, { at: 'd/P.md', wanted, resolver, inHeading }));

  test.each([
    ['see [[Gone]] there', 'see [[x/A]] there'],
    ['[[A]]', '[[x/A]]'],
    ['[[Gone#Part|text]]', '[[x/A#Part|text]]'],
    ['[[../Gone]]', '[[../x/A]]'],
    ['![[/Gone]]', '![[/x/A]]'],
    ['[t](../Gone.md#a)', '[t](../x/A.md#a)'],
    ['[t](Gone.md)', '[t](x/A.md)'],
    ['[t](Gone.md?plain=1#a)', '[t](x/A.md?plain=1#a)'],
    ['<a href="../Gone.md">t</a>', '<a href="../x/A.md">t</a>'],
  ])('keeps its style and gets a path that no other page has: %s', (text, expected) => {
    expect(led(text)).toBe(expected);
  });

  test('keeps the text that it shows in a heading', () => {
    expect(led('[[Gone]]', 'x/A.md', true)).toBe('[[x/A|Gone]]');
  });

  test('stays in a property if no wikilink can hold the name', () => {
    expect(led('---\nup: "[[Gone]]"\n---\n', 'x/[z].md')).toBeNull();
  });
});

describe('words that become a link', () => {
  const linked = (text: string, name: string, wanted: string) => {
    const [mention] = atOnce(mentionSteps(text, [name]));
    if (mention === undefined) throw new Error(`${text} mentions no ${name}.`);
    const resolver = createLinkResolver(['P.md', 'Oven.md', 'x/[z].md', 'x/B.md']);
    return withReplacement(text, linkMention(mention, { at: 'P.md', wanted, resolver }));
  };

  test.each([
    ['the Oven here', 'Oven', 'Oven.md', 'the [[Oven]] here'],
    ['the oven here', 'Oven', 'Oven.md', 'the [[Oven|oven]] here'],
    ['the oven here', 'oven', 'x/B.md', 'the [[x/B|oven]] here'],
  ])('stay what a reader sees: %s', (text, name, wanted, expected) => {
    expect(linked(text, name, wanted)).toBe(expected);
  });

  test('stay as they are if no link to the page can be written there', () => {
    expect(linked('a ` the oven', 'oven', 'x`y.md')).toBeNull();
  });
});

describe('a link that becomes plain text', () => {
  test.each([
    ['a [[Gone]] b', 'a Gone b'],
    ['a [[Gone| the text ]] b', 'a the text b'],
    ['a [ the text ](Gone.md) b', 'a the text b'],
    ['a [the *text*](Gone.md) b', 'a the *text* b'],
  ])('leaves what it shows: %s', (text, expected) => {
    expect(withReplacement(text, asPlainText(firstLink(text), text))).toBe(expected);
  });

  test.each([
    '![[gone.png]]',
    '![text](gone.png)',
    '---\nup: "[[Gone]]"\n---\n',
    '[r]: Gone.md',
    '<a href="Gone.md">',
  ])('is none where it shows no text: %s', (text) => {
    expect(asPlainText(firstLink(text), text)).toBeNull();
  });
});
