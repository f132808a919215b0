import fc from 'fast-check';

/** A page or file by its folder and name: few names in many folders, so that names are often equal. */
export interface Place {
  folder: string;
  name: string;
}

const FOLDERS = [
  '',
  'north',
  'south',
  'south/deep',
  'a',
  'a/b',
  'a/b/c',
  'en',
  'en/guides',
  'ja',
  'ja/ガイド',
  'архив',
];
const NAMES = [
  'Notes',
  'Plan',
  'Home',
  'My Page (1)',
  'Über',
  'ページ',
  'บันทึก',
  'План',
  'خطة',
  'v1.2',
  '100%',
  'index',
];
const ALIASES = ['Nick', 'Plan B', 'TCP/IP', 'Notes', '別名', 'План', 'C#', 'Plan#Part', 'w/'];
const FILES = ['img.png', 'data.csv', '図.png', 'clip.3gp'];
/** Names that only git can bring: of a file, and of a page. */
const UNPORTABLE = 'img.png?v=2';
const UNPORTABLE_PAGE = 'Notes.md';

export const folders = fc.constantFrom(...FOLDERS);
export const places: fc.Arbitrary<Place> = fc.record({
  folder: folders,
  // The first names come more often.
  name: fc.oneof(
    { weight: 10, arbitrary: fc.constantFrom(...NAMES.slice(0, 3)) },
    { weight: 10, arbitrary: fc.constantFrom(...NAMES) },
    { weight: 1, arbitrary: fc.constant(UNPORTABLE_PAGE) },
  ),
});
export const filePlaces: fc.Arbitrary<Place> = fc.record({
  folder: folders,
  name: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...FILES) },
    { weight: 1, arbitrary: fc.constant(UNPORTABLE) },
  ),
});

export function pathOf({ folder, name }: Place): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** The written form of a link, before its page is known. */
interface LinkSpec {
  to: Place;
  form: (to: Place, from: string) => string;
}

/** A line of a page, once it is known on which. */
export type Line = (page: string) => string;

const anchors = fc.constantFrom('', '', '#Part', '#^b1', '#Part#Sub');
const texts = fc.constantFrom('', '', '|shown', '|Notes', '|図 1');

const wikiTargets: fc.Arbitrary<(to: Place, from: string) => string> = fc.constantFrom(
  ({ name }: Place) => name,
  ({ name }: Place) => name,
  ({ name }: Place) => `${name}.md`,
  ({ name }: Place) => name.toUpperCase(),
  (to: Place) => pathOf(to).normalize('NFD'),
  (to: Place) => pathOf(to).split('/').slice(-2).join('/'),
  (to: Place) => pathOf(to),
  (to: Place) => `/${pathOf(to)}`,
  (to: Place, from: string) => relative(from, pathOf(to)),
);
const markdownTargets: fc.Arbitrary<(to: Place, from: string) => string> = fc.constantFrom(
  (to: Place, from: string) => `${relative(from, pathOf(to))}.md`,
  (to: Place, from: string) => relative(from, pathOf(to)).replace(/^\.\//, ''),
  (to: Place) => `${pathOf(to)}.md`,
  (to: Place) => `/${pathOf(to)}.md`,
  ({ name }: Place) => `${name}.md`,
  ({ name }: Place) => name,
);

const wikilinks = fc.tuple(fc.constantFrom('', '', '!'), wikiTargets, anchors, texts).map(
  ([bang, target, anchor, text]) =>
    (to: Place, from: string) =>
      `${bang}[[${target(to, from)}${anchor}${text}]]`,
);
const tableLinks = wikiTargets.map(
  (target) => (to: Place, from: string) => `| [[${target(to, from)}\\|cell]] | x |`,
);
const markdownLinks = fc.tuple(markdownTargets, anchors, fc.constantFrom('', '!')).map(
  ([target, anchor, bang]) =>
    (to: Place, from: string) =>
      `${bang}[t](${encoded(target(to, from))}${anchorOf(anchor)})`,
);
const QUERIES = ['?raw=true', '?v=2', '?', '?a=1&b=%20'];
const queryLinks = fc.tuple(markdownTargets, fc.constantFrom(...QUERIES), anchors).map(
  ([target, query, anchor]) =>
    (to: Place, from: string) =>
      `[q](${encoded(target(to, from))}${query}${anchorOf(anchor)})`,
);
/** Always in quotes: in an address without them micromark takes a slash for the end of the tag, against CommonMark. */
const htmlLinks = fc
  .tuple(markdownTargets, anchors, fc.constantFrom('"', "'"), fc.nat(2))
  .map(([target, anchor, quote, tag]) => (to: Place, from: string) => {
    const address = encoded(target(to, from)).replaceAll("'", '%27') + anchorOf(anchor);
    const value = quote + address + quote;
    const tags = [`<a class="x" href=${value}>h</a>`, `<A HREF = ${value} title="[[Notes]]">h</A>`];
    return tags[tag] ?? `<img src=${value}>`;
  });
/** Markdown links over two lines of a quote. */
const quotedLinks = markdownTargets.map(
  (target) => (to: Place, from: string) =>
    `\n\n> [q](\n> ${encoded(target(to, from))}\n> "t") and [p](${encoded(target(to, from))}\n> 'title')\n\n`,
);
/** Destinations that are folders, or belong to other programs. */
const otherDestinations = fc.constantFrom(
  ...[
    '.',
    './',
    '..',
    '../',
    'b/',
    '@/Notes.md',
    '$' + '{root}/Notes.md',
    '~/Notes.md',
    '?page=2',
    'Notes\\Plan.md',
  ],
);
const angleLinks = markdownTargets.map(
  (target) => (to: Place, from: string) => `[t](<${target(to, from)}> "title")`,
);
const definitions = markdownTargets.map(
  (target) => (to: Place, from: string) => `\n\n[ref]: ${encoded(target(to, from))}\n\n`,
);

const forms = fc.oneof(
  { weight: 8, arbitrary: wikilinks },
  { weight: 1, arbitrary: tableLinks },
  { weight: 4, arbitrary: markdownLinks },
  { weight: 1, arbitrary: angleLinks },
  { weight: 1, arbitrary: queryLinks },
  { weight: 2, arbitrary: htmlLinks },
  { weight: 1, arbitrary: quotedLinks },
  { weight: 1, arbitrary: otherDestinations.map((written) => () => `[o](${written})`) },
  { weight: 1, arbitrary: definitions },
);
const propertyLinks: fc.Arbitrary<LinkSpec> = fc.record({
  to: places,
  form: fc.tuple(wikiTargets, anchors, texts).map(
    ([target, anchor, text]) =>
      (to, from) =>
        `[[${target(to, from)}${anchor}${text}]]`,
  ),
});
const pageLinks: fc.Arbitrary<LinkSpec> = fc.record({ to: places, form: forms });
const fileForms = fc.constantFrom(
  ({ name }: Place) => `![[${name}]]`,
  (to: Place) => `![[${pathOf(to)}|200]]`,
  (to: Place, from: string) => `![i](${encoded(relative(from, pathOf(to)))})`,
  (to: Place, from: string) => `![i](${encodeURI(relative(from, pathOf(to)))})`,
  ({ name }: Place) => `[[${name}]]`,
);
const fileLinks: fc.Arbitrary<LinkSpec> = fc.record({ to: filePlaces, form: fileForms });

/** Texts that look like links but are none. */
const others = fc.constantFrom(
  'Plain text without links.',
  '`[[Notes]]` in code, \\[[Notes]] escaped.',
  '```md\n[[Notes]] [t](Notes.md)\n```',
  '<!-- [[Notes]] -->',
  '[web](https://example.org/Notes.md) and [[https://example.org]]',
  'A paragraph with a block. ^b1',
  '<!-- <a href="Notes.md"> --> `<a href="Notes.md">` <script>"<img src=Notes.md>"</script>',
  '[[#Part]] and [here](#part)',
);

const headingLinks = fc.oneof({ weight: 3, arbitrary: wikilinks }, { weight: 1, arbitrary: markdownLinks });
const headings: fc.Arbitrary<Line> = fc
  .tuple(fc.record({ to: places, form: headingLinks }), fc.constantFrom('### See ', '#### ', '> ### See '))
  .map(
    ([{ to, form }, marks]) =>
      (page: string) =>
        `${marks}${form(to, page)}`,
  );
/** Possible texts of such a heading. */
const headingNames = fc.constantFrom('See Notes', 'See Plan', 'Notes', 'See a Notes', 'See shown', 'See t');

export const lines: fc.Arbitrary<Line> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .array(fc.oneof({ weight: 6, arbitrary: pageLinks }, { weight: 1, arbitrary: fileLinks }), {
        minLength: 1,
        maxLength: 3,
      })
      .map(
        (links) => (page: string) =>
          `See ${links.map(({ to, form }) => form(to, page)).join(' and ')} there.`,
      ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...ALIASES).map((alias) => () => `By alias: [[${alias}]] or [[${alias}|so]].`),
  },
  { weight: 1, arbitrary: others.map((text) => () => text) },
  {
    weight: 1,
    arbitrary: fc.tuple(pageLinks, headingNames).map(
      ([{ to }, name]) =>
        () =>
          `At [[/${pathOf(to)}#${name}]].`,
    ),
  },
);

export const aliases = fc.uniqueArray(fc.constantFrom(...ALIASES), { maxLength: 2 });

export interface PageSpec {
  aliases: readonly string[];
  /** Links in the frontmatter. */
  up: readonly LinkSpec[];
  headings: readonly Line[];
  lines: readonly Line[];
}
export const pageSpecs: fc.Arbitrary<PageSpec> = fc.record({
  aliases: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: aliases }),
  up: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(propertyLinks, { minLength: 1, maxLength: 2 }) },
  ),
  headings: fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(headings, { minLength: 1, maxLength: 2 }) },
  ),
  lines: fc.array(lines, { maxLength: 4 }),
});

/** A page's text: frontmatter, then headings with links and its lines, of which the last is under a heading of its own. */
export function textOf({ aliases, up, headings, lines }: PageSpec, page: string): string {
  const [first, ...others] = up.map(({ to, form }) => form(to, page));
  const yaml = [
    ...(aliases.length === 0 ? [] : [`aliases: ${JSON.stringify(aliases)}`]),
    ...(first === undefined ? [] : [`up: ${JSON.stringify(first)} # [[Notes]]`]),
    ...others.map((link) => `see:\n  - plain [[Notes]]\n  - '${link.replaceAll("'", "''")}'`),
  ];
  const head = yaml.length === 0 ? '' : `---\n${yaml.join('\n')}\n---\n`;
  const marked = headings.map((heading) => heading(page));
  const named = marked.map((heading, at) => anchorsTo(heading, at % 2 === 0 ? '' : `/${page}`));
  const written = [...marked, ...named, ...lines.map((line) => line(page))];
  const last = lines.length === 0 ? '' : written.pop();
  const title = lines.length % 2 === 0 ? 'Page' : page.split('/').at(-1);
  return `${head}# ${title}\n\n${written.join('\n\n')}\n\n## Part\n\n${last}\n`;
}

/** Links to a heading, which may hold links itself, by the text that it shows, and to one of another page. */
function anchorsTo(heading: string, page: string): string {
  const shown = heading
    .replace(/^[> ]*#+ /, '')
    .replace(/!?\[\[(?:[^\]|]*\|)?([^\]]*)\]\]/g, '$1')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1');
  return `At [[${page}#${shown}]] and [[Notes#${shown}]].`;
}

export function relative(from: string, to: string): string {
  const start = from.split('/').slice(0, -1);
  const parts = to.split('/');
  while (start.length > 0 && parts.length > 1 && start[0] === parts[0]) {
    start.shift();
    parts.shift();
  }
  return start.length === 0 ? `./${parts.join('/')}` : `${'../'.repeat(start.length)}${parts.join('/')}`;
}

function encoded(path: string): string {
  return encodeURI(path).replaceAll('(', '%28').replaceAll(')', '%29').replaceAll('?', '%3F');
}

function anchorOf(anchor: string): string {
  return anchor.replaceAll(' ', '%20');
}
