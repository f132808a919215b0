/**
 * Pages that would occupy some parser or renderer for long, by the construct that they repeat; each of about
 * the given length.
 */
export const HOSTILE_PAGES: Record<string, (length: number) => string> = {
  quotes: (n) => '>'.repeat(n),
  'quotes and spaces': (n) => '> '.repeat(n / 2),
  lists: (n) => '- '.repeat(n / 2),
  'lists below lists': (n) => lines(n, (i) => `${'  '.repeat(i % 90)}- a`),
  'lists within a list': (n) => lines(n, (i) => `${'  '.repeat(i % 4)}- a`),
  brackets: (n) => '['.repeat(n),
  'image brackets': (n) => '!['.repeat(n / 2),
  'closed brackets': (n) => '[]'.repeat(n / 2),
  'links that never close': (n) => '[a]('.repeat(n / 4),
  'links in links': (n) => `${'['.repeat(n / 5)}a${'](b)'.repeat(n / 5)}`,
  stars: (n) => '*'.repeat(n),
  'stars and letters': (n) => '*a '.repeat(n / 3),
  'stars and underscores': (n) => '*a_ '.repeat(n / 4),
  'strong within words': (n) => 'a**b'.repeat(n / 4),
  'stars that only close': (n) => 'a* '.repeat(n / 3),
  'stars that only close after many lines': (n) => 'a\n'.repeat(n / 3) + 'a* '.repeat(n / 9),
  'stars that open in code': (n) => '`*a` b* '.repeat(n / 8),
  'stars that are escaped': (n) => '\\*a b* '.repeat(n / 7),
  'stars that open in links': (n) => '[a](*a) b* '.repeat(n / 11),
  'stars that open in addresses': (n) => 'http://a.b/*a b* '.repeat(n / 17),
  'stars that open in HTML': (n) => '<i *a> b* '.repeat(n / 10),
  'underscores that open between stars': (n) => '*_a* b_ '.repeat(n / 8),
  'emphasis within emphasis': (n) => '*a '.repeat(n / 6) + 'a* '.repeat(n / 6),
  tildes: (n) => '~~a ~b '.repeat(n / 7),
  'backticks of every length': (n) => lines(n, (i) => '`'.repeat(i), ' '),
  'angle brackets': (n) => '<'.repeat(n),
  'open tags': (n) => '<b>'.repeat(n / 3),
  'open tags with attributes': (n) => lines(n, (i) => `<b a=${i}>`, ''),
  'attributes of one tag': (n) => `<b ${lines(n, (i) => `a${i}`, ' ')}>`,
  'attributes of one tag behind quotes': (n) => `<b ${lines(n, (i) => `a${i}=">"`, ' ')}>`,
  'tags of many attributes': (n) => lines(n, (i) => `<b b${i} ${'a '.repeat(200)}>`, ''),
  'tags of different attributes': (n) =>
    lines(n, (i) => `<b b${i} ${lines(200, (at) => `a${at}`, ' ')}>`, ''),
  'many attributes, then blocks': (n) =>
    `<p><b ${lines(n / 10, (i) => `a${i}`, ' ')}>${'<p>a'.repeat(n / 5)}`,
  'comments in text': (n) => `a ${'<!--a '.repeat(n / 6)}`,
  'instructions in text': (n) => `a ${'<?'.repeat(n / 2)}`,
  'declarations in text': (n) => `a ${'<!A '.repeat(n / 4)}`,
  'character data in text': (n) => `a ${'<![CDATA['.repeat(n / 9)}`,
  instructions: (n) => '<?'.repeat(n / 2),
  declarations: (n) => '<!A'.repeat(n / 3),
  'character data': (n) => '<![CDATA['.repeat(n / 9),
  'open tags, then paragraphs': (n) => lines(n / 2, (i) => `<b a=${i}>`, '') + '\n\na'.repeat(n / 6),
  'open tags, then blocks of HTML': (n) =>
    `<div>${lines(n / 2, (i) => `<b a=${i}>`, '')}</div>${'<div>a'.repeat(n / 12)}`,
  'unknown elements that look closed': (n) => '- a <Since v="1" />\n'.repeat(n / 20),
  'unknown blocks that look closed, then paragraphs': (n) =>
    '<Since v="1" />\n\n'.repeat(n / 34) + '\n\na'.repeat(n / 6),
  'open blocks': (n) => '<div>\n\n'.repeat(n / 7),
  'open tables in HTML': (n) => '<table>'.repeat(n / 7),
  comments: (n) => '<!--'.repeat(n / 4),
  'a table of many columns': (n) => `${'|'.repeat(n / 2)}\n${'|-'.repeat(n / 4)}|\n|a\n`,
  'a table of columns and rows': (n) =>
    `${'|a'.repeat(1_000)}\n${'|-'.repeat(1_000)}\n${'a\n'.repeat(n / 2)}`,
  footnotes: (n) => lines(n, (i) => `a[^${i}]\n\n[^${i}]: a\n`),
  'uses of one footnote': (n) => `[^1]: a\n\n${'[^1]'.repeat(n / 4)}`,
  definitions: (n) => lines(n, (i) => `[a${i}]: b`),
  'uses of one definition': (n) => `[a]: b\n\n${'[a]'.repeat(n / 3)}`,
  'addresses of mail': (n) => 'a@a.'.repeat(n / 4),
  'addresses of the web': (n) => 'http://'.repeat(n / 7),
  headings: (n) => '# a\n'.repeat(n / 4),
  'blank lines': (n) => '\n'.repeat(n),
  backslashes: (n) => '\\'.repeat(n),
  dollars: (n) => '$'.repeat(n),
  formulas: (n) => '$a$ '.repeat(n / 4),
  'a formula nested deep': (n) => `$${'{'.repeat(1_900)}a${'}'.repeat(90)}$ `.repeat(n / 2_000),
  'macros that double': (n) =>
    '$\\def\\a{xxxxx}\\def\\b{\\a\\a\\a\\a\\a}\\def\\c{\\b\\b\\b\\b\\b}\\c\\c\\c$ '.repeat(n / 70),
  'a macro without end': (n) => '$\\def\\a{\\a\\a}\\a$ '.repeat(n / 18),
  matrices: (n) => `$$\\begin{matrix}${'a&'.repeat(400)}\\end{matrix}$$ `.repeat(n / 840),
  marks: (n) => '==a '.repeat(n / 4),
  'hidden text': (n) => '%%a '.repeat(n / 4),
  'blocks of formulas': (n) => '$$\na\n$$\n'.repeat(n / 8),
  wikilinks: (n) => '[[a]] '.repeat(n / 6),
  callouts: (n) => '> [!note] a\n\n'.repeat(n / 13),
  'blocks of code': (n) => '```js\na("b")\n```\n'.repeat(n / 17),
  'code of open strings': (n) => `\`\`\`js\n${'"a${`'.repeat(300)}\n`.repeat(n / 1_500).concat('```\n'),
  'code of open tags': (n) => `\`\`\`html\n${`${'<a b="'.repeat(300)}\n`.repeat(n / 1_800)}\`\`\`\n`,
  'code of open brackets': (n) => `\`\`\`cpp\n${`${'a<(['.repeat(400)}\n`.repeat(n / 1_600)}\`\`\`\n`,
};

function lines(length: number, line: (index: number) => string, end = '\n'): string {
  const parts: string[] = [];
  for (let index = 0, left = length; left > 0; index += 1) {
    const part = line(index) + end;
    parts.push(part);
    left -= part.length;
  }
  return parts.join('');
}
