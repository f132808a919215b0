import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sampled } from '../../../../../../labs/sample.ts';
import { idleCpuMsOf } from '../../../../test/machine-speed.ts';
import { atOnce } from '../../../scheduling/in-turns.ts';
import { MAX_YAML_CHARACTERS } from '../frontmatter/frontmatter.ts';
import { scanBlocks } from '../markdown/markdown-blocks.ts';
import { scanInline } from '../markdown/markdown-links.ts';
import { wholeText } from '../text-runs.ts';
import type { LinkChange } from './follow-link.ts';
import { followLinks } from './follow-links.ts';
import { createLinkResolver, type ResolvedLink } from './link-resolver.ts';

const linksOf = (text: string) => scanInline(text, scanBlocks(text)).links;

function moveOf(
  paths: readonly string[],
  from: string,
  to: string,
  aliases: [string, string][] = [],
): LinkChange {
  const place = (path: string) => (path === from ? to : path);
  return {
    moved: new Map([[from, to]]),
    merged: new Set(),
    replaced: new Set(),
    placeOf: (path) => path,
    removed: new Set(),
    anchors: new Map(),
    follows: () => true,
    before: createLinkResolver(paths, aliases),
    after: createLinkResolver(
      paths.map(place),
      aliases.map(([alias, path]) => [alias, place(path)] as const),
    ),
  };
}

function rewriteLinks(text: string, page: string, change: LinkChange) {
  const at = change.moved.get(page) ?? page;
  return atOnce(followLinks({ text, at, origins: wholeText(page) }, change));
}

test('a page that moves there and back has its relative links as before', () => {
  const paths = ['en/reference/Page.md', 'en/reference/api/Other.md', 'en/guides/Guide.md', 'en/Top.md'];
  const text = '[a](api/Other.md#x) [b](../guides/Guide.md) [c](../Top.md) [[./api/Other]] [[../Top]]\n';
  for (const there of ['en/moved/Page.md', 'Page.md', 'en/reference/api/Page.md', 'en/guides/Page.md']) {
    const moved = rewriteLinks(
      text,
      'en/reference/Page.md',
      moveOf(paths, 'en/reference/Page.md', there),
    ).text;
    const back = moveOf([there, ...paths.slice(1)], there, 'en/reference/Page.md');
    expect(rewriteLinks(moved, there, back).text, there).toBe(text);
  }
});

describe('a link to a page that moved', () => {
  const paths = ['Home.md', 'Guides/Setup.md', 'Guides/Other.md', 'img/logo.png'];
  const toRenamed = moveOf(paths, 'Guides/Setup.md', 'Archive/Old Setup.md');
  const home = (text: string, move = toRenamed) => rewriteLinks(text, 'Home.md', move).text;

  test.each([
    ['[[Setup]]', '[[Old Setup]]'],
    ['[[Setup|text]]', '[[Old Setup|text]]'],
    ['[[ Setup | text ]]', '[[ Old Setup | text ]]'],
    ['[[Setup#Heading|text]]', '[[Old Setup#Heading|text]]'],
    ['[[Setup#^block]]', '[[Old Setup#^block]]'],
    ['![[Setup]]', '![[Old Setup]]'],
    ['[[Guides/Setup]]', '[[Old Setup]]'],
    ['[[/Guides/Setup]]', '[[/Archive/Old Setup]]'],
    ['[[./Guides/Setup]]', '[[./Archive/Old Setup]]'],
    ['[[Setup.md]]', '[[Old Setup.md]]'],
    ['| [[Setup\\|text]] |', '| [[Old Setup\\|text]] |'],
    ['[text](Guides/Setup.md)', '[text](Archive/Old%20Setup.md)'],
    ['[text](Guides/Setup.md#a%20b "title")', '[text](Archive/Old%20Setup.md#a%20b "title")'],
    ['[text](<Guides/Setup.md#a b>)', '[text](<Archive/Old Setup.md#a b>)'],
    ['[text](/Guides/Setup)', '[text](/Archive/Old%20Setup)'],
    ['[text](./Guides/Setup.md)', '[text](./Archive/Old%20Setup.md)'],
    ['[text](Setup.md)', '[text](Old%20Setup.md)'],
    ['![text](Guides/Setup.md)', '![text](Archive/Old%20Setup.md)'],
    ['[a][b]\n\n[b]: Guides/Setup.md "title"', '[a][b]\n\n[b]: Archive/Old%20Setup.md "title"'],
    ['[![a](img/logo.png)](Guides/Setup.md)', '[![a](img/logo.png)](Archive/Old%20Setup.md)'],
    ['`[[Setup]]` [[Setup]]\n\n    [[Setup]]\n', '`[[Setup]]` [[Old Setup]]\n\n    [[Setup]]\n'],
    ['[[Setup]]\r\n[[Setup]]\r\n', '[[Old Setup]]\r\n[[Old Setup]]\r\n'],
    ['[[Other]] [x](https://example.org/Setup)', '[[Other]] [x](https://example.org/Setup)'],
  ])('keeps its style: %j', (text, expected) => {
    expect(home(text)).toBe(expected);
  });

  test('is left alone if it still leads there', () => {
    const move = moveOf(paths, 'Guides/Setup.md', 'Archive/Setup.md');
    expect(rewriteLinks('[[Setup]] [[Guides/Setup]]', 'Home.md', move)).toEqual({
      text: '[[Setup]] [[Setup]]',
      count: 1,
      retargeted: [],
    });
    const withAlias = moveOf(paths, 'Guides/Setup.md', 'New.md', [['Start', 'Guides/Setup.md']]);
    expect(home('[[Start]]', withAlias)).toBe('[[Start]]');
  });

  test('gets a path if the new name alone would lead to another page', () => {
    const move = moveOf(['Home.md', 'a/One.md', 'b/Two.md'], 'a/One.md', 'a/b/c/Two.md');
    expect(home('[[One]] [[Two]]', move)).toBe('[[c/Two]] [[Two]]');
  });

  test('to another page gets a path if the new name would take it over', () => {
    const move = moveOf(['Home.md', 'One.md', 'a/b/Two.md'], 'One.md', 'Two.md');
    expect(home('[[Two]] [[Two|x]] [[One]]', move)).toBe('[[b/Two]] [[b/Two|x]] [[Two]]');
  });

  test('becomes a Markdown link if no wikilink can hold the name', () => {
    const move = moveOf(paths, 'Guides/Setup.md', 'A | B [c].md');
    expect(home('[[Setup#x y|text]] ![[Setup]]', move)).toBe(
      '[text](<./A %7C B [c].md#x y>) ![A \\| B \\[c\\]](<./A %7C B [c].md>)',
    );
  });

  test('may lead to a name with # or %', () => {
    const move = moveOf(paths, 'Guides/Setup.md', 'C# 100%25.md');
    expect(home('[[Setup#x]] [a](Guides/Setup.md)', move)).toBe('[[C# 100%25#x]] [a](C%23%20100%2525.md)');
  });

  test('keeps letters encoded, or not, as they were', () => {
    const move = moveOf(['Home.md', 'ä.md'], 'ä.md', 'ö.md');
    expect(home('[a](%C3%A4.md) [b](ä.md)', move)).toBe('[a](%C3%B6.md) [b](ö.md)');
  });
});

describe('the page that moved', () => {
  const paths = ['Home.md', 'Guides/Setup.md', 'Guides/Other.md', 'Guides/img/a.png'];
  const move = moveOf(paths, 'Guides/Setup.md', 'Archive/2024/Setup.md');

  test('has its own relative links rewritten', () => {
    const text =
      '[a](Other.md) [b](../Home.md) ![c](img/a.png) [[Other]] [[../Home]] [d](#x) [e](/Home.md) [[Setup#y]] [f](Setup.md)';
    expect(rewriteLinks(text, 'Guides/Setup.md', move).text).toBe(
      '[a](../../Guides/Other.md) [b](../../Home.md) ![c](../../Guides/img/a.png) [[Other]] [[../../Home]] ' +
        '[d](#x) [e](/Home.md) [[Setup#y]] [f](Setup.md)',
    );
  });

  test('keeps links to pages that are still to be written', () => {
    expect(rewriteLinks('[a](To%20Do.md#x) [[To Do]]', 'Guides/Setup.md', move).text).toBe(
      '[a](../../Guides/To%20Do.md#x) [[To Do]]',
    );
  });
});

test('a link in a heading that is underlined keeps its text, and one below a heading does not', () => {
  const move = moveOf(['P.md', 'A.md'], 'A.md', 'B.md');
  expect(rewriteLinks('[[A]]\n===\n# x\n[[A]]\n# [[A]]\n', 'P.md', move).text).toBe(
    '[[B|A]]\n===\n# x\n[[B]]\n# [[B|A]]\n',
  );
});

test('links in the frontmatter are rewritten until it is as long as it may be', () => {
  const yaml = (links: string) =>
    `${links}# ${' '.repeat(MAX_YAML_CHARACTERS - 4 - 2 * 'a: "[[A]]"\n'.length)}\n`;
  const page = (links: string) =>
    `---\n${yaml('a: "[[A]]"\nb: "[[A]]"\n').replace('a: "[[A]]"\nb: "[[A]]"\n', links)}---\n`;
  const move = moveOf(['P.md', 'A.md'], 'A.md', 'BB.md');
  expect(yaml('a: "[[A]]"\nb: "[[A]]"\n')).toHaveLength(MAX_YAML_CHARACTERS - 1);
  const { text, retargeted } = rewriteLinks(page('a: "[[A]]"\nb: "[[A]]"\n'), 'P.md', move);
  expect(text).toBe(page('a: "[[BB]]"\nb: "[[A]]"\n'));
  expect(retargeted).toMatchObject([{ link: '[[A]]', oldTarget: 'A.md', newTarget: null }]);
});

test('a link in a full frontmatter is reported if its anchor leads to another place of the merged page', () => {
  const property = 'a: "[[A#x]]"\n';
  const text = `---\n${property}# ${' '.repeat(MAX_YAML_CHARACTERS - 3 - property.length)}\n---\n`;
  const change: LinkChange = {
    ...moveOf(['P.md', 'x/A.md', 'y/A.md'], '', ''),
    moved: new Map([['x/A.md', 'y/A.md']]),
    after: createLinkResolver(['P.md', 'y/A.md'], []),
    anchors: new Map([['x/A.md', () => ({ anchor: 'x, of the merged page', was: true, isKept: true })]]),
  };
  const followed = rewriteLinks(text, 'P.md', change);
  expect(followed.text).toBe(text);
  expect(followed.retargeted).toEqual([
    { link: '[[A#x]]', oldTarget: 'x/A.md', newTarget: 'y/A.md', anchors: { old: 'x', now: 'x' } },
  ]);
});

test('a new link is reported if the change moved its page away, and not if it leads to another one now', () => {
  const change = {
    ...moveOf(['P.md', 'a/X.md', 'b/X.md', 'Y.md'], 'a/X.md', 'a/Z.md'),
    removed: new Set(['a/X.md']),
  };
  const found = atOnce(
    followLinks({ text: '[[X]] [[a/X]] [[Y]] [[None]]', at: 'P.md', origins: [] }, change),
  );
  expect(found.retargeted).toEqual([{ link: '[[a/X]]', oldTarget: 'a/X.md', newTarget: null }]);
});

test('after any move every link leads where it led, and all else is untouched', () => {
  const name = fc.constantFrom(
    'A',
    'B',
    'a',
    'A B',
    'C#',
    'C# D',
    '50%',
    '%20',
    'x|y',
    '[z]',
    'é',
    '(p)',
    'Q: r',
    'a.b',
    '🎉',
    '`t`',
    'n_m_',
    '<q>',
    'w]',
    "it's",
    '"k"',
    '^',
    '!',
  );
  const path = fc
    .tuple(
      fc.array(fc.constantFrom('A', 'f', 'G h', '#1'), { maxLength: 2 }),
      name,
      fc.constantFrom('.md', '.md', '.md', '.png'),
    )
    .map(([folders, last, extension]) => [...folders, last].join('/') + extension);
  const wiki = fc.uniqueArray(path, { minLength: 2, maxLength: 8 });
  const wrap = fc.constantFrom(
    (p: string) => `[[${p}]]`,
    (p: string) => `![[${p.split('/').at(-1)}|alias]]`,
    (p: string) => `[[${p.split('/').slice(-2).join('/')}#Some heading]]`,
    (p: string) => `[[/${p}]]`,
    (p: string) => `[text](${encodeURIComponent(p).replaceAll('%2F', '/')}.md#x)`,
    (p: string) => `[text](<./${p}.md> "t")`,
    (p: string) => `[text](../${encodeURI(p)}.md)`,
    (p: string) => `![text](<${p.split('/').at(-1)}>)`,
    (p: string) => `\n\n[ref]: <../${p}>\n\n`,
    (p: string) => `\n\n| [[${p}\\|cell]] |\n|---|\n\n`,
    (p: string) => `\`[[${p}]]\``,
  );
  fc.assert(
    fc.property(
      wiki,
      path,
      fc.array(fc.tuple(wrap, fc.nat(7)), { maxLength: 8 }),
      fc.nat(7),
      (paths, to, made, seed) => {
        const pages = paths.filter((each) => each.endsWith('.md'));
        const from = pages[seed % Math.max(1, pages.length)];
        const target = to.endsWith('.md') ? to : `${to}.md`;
        if (from === undefined || paths.includes(target)) return;
        const named = paths.map((each) => each.replace(/\.md$/, ''));
        const text = made.map(([form, index]) => form(named[index % named.length] ?? '')).join(' and ');
        const move = moveOf(paths, from, target, [['E', paths[0] ?? '']]);
        for (const page of pages) {
          const before = linksOf(text).map((link) => move.before.resolve(link, page));
          const rewritten = rewriteLinks(text, page, move).text;
          const after = linksOf(rewritten).map((link) =>
            move.after.resolve(link, move.moved.get(page) ?? page),
          );
          expect(after.length).toBe(before.length);
          expectLedAlike(before, after, move.moved, page === from ? null : target);
          expect(rewritten.split(' and ').length).toBe(text.split(' and ').length);
        }
      },
    ),
    { numRuns: sampled(3_000, 1_000) },
  );
});

/** A link that led nowhere may lead to the page that took the name, `taken`; on the moved page to any. */
function expectLedAlike(
  before: readonly (ResolvedLink | null)[],
  after: readonly (ResolvedLink | null)[],
  moved: ReadonlyMap<string, string>,
  taken: string | null,
): void {
  for (const [index, led] of before.entries()) {
    const leads = after[index] ?? null;
    if (led !== null)
      expect([leads?.path, leads?.anchor]).toEqual([moved.get(led.path) ?? led.path, led.anchor]);
    else if (taken !== null) expect([null, taken]).toContain(leads?.path ?? null);
  }
}

test('a page of many links is followed in many steps, so that other calls have their turn', () => {
  const page = { text: '[[A]]\n'.repeat(10_000), at: 'P.md', origins: wholeText('P.md') };
  expect([...followLinks(page, moveOf(['P.md'], '', ''))].length).toBeGreaterThanOrEqual(200);
});

test.each([
  ['a heading with a text of spaces', `# [[Old|a${' '.repeat(100_000)}b]]\n`],
  ['a line of open brackets', `[[Old]] ${'[['.repeat(100_000)}\n`],
  ['a line of many links', `${'[[Old]] '.repeat(20_000)}\n`],
])('%s delays no other call', (_, text) => {
  const rewrite = () => rewriteLinks(text, 'P.md', moveOf(['Old.md', 'P.md'], 'Old.md', 'New.md'));
  expect(idleCpuMsOf(rewrite)).toBeLessThan(2_000);
});
