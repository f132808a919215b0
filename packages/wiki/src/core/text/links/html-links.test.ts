import { expect, test } from 'vitest';
import { linksOfTag } from './html-links.ts';

const OFFSET = 100;

/** The addresses of the links of a tag, as they stand in it. */
function addresses(tag: string): string[] {
  return linksOfTag(tag, OFFSET).map(({ destination }) =>
    tag.slice((destination?.start ?? 0) - OFFSET, (destination?.end ?? 0) - OFFSET),
  );
}

test.each<[tag: string, ...found: string[]]>([
  ['<a href="B.md">', 'B.md'],
  ["<A\nHREF='B.md' class=x>", 'B.md'],
  ['<a class="x" href=B.md>', 'B.md'],
  ['<a  class=x \n href=B.md>', 'B.md'],
  ['<a x:y data-a.b=\'1\' _c href = "  B.md\n">', 'B.md'],
  ['<a href="A.md" HREF="B.md">', 'A.md'],
  ['<a href="#Part">', '#Part'],
  ['<a title="href=x" href="y z.md">', 'y z.md'],
  ['<a href="">'],
  ['<a href=" ">'],
  ['<a href>'],
  ['<a href="https://example.org">'],
  ['<a src="B.md">'],
  ['<abbr href="B.md">'],
  ['<b href="B.md">'],
  ['<b href="B.md" title="<a y">'],
  [' <a href="B.md">'],
  ['<a/href="B.md">'],
  ['<a 1="x" href="B.md">'],
  ['<img href="B.md" src=a.png>', 'a.png'],
  ['<img src="a.png" srcset="b.png 1x, c.png 2x,d.png">', 'a.png', 'b.png', 'c.png', 'd.png'],
  ['<img SRCSET=" , a.png,, b.png 100w, ,c.png,">', 'a.png', 'b.png', 'c.png'],
  ['<img srcset="">'],
  ['<img srcset=" , ">'],
  ['<img srcset=a.png,b.png>', 'a.png,b.png'],
  ['<source srcset="a.png" src="b.mp4">', 'a.png', 'b.mp4'],
  ['<video poster="p.png" src="v.mp4">', 'p.png', 'v.mp4'],
  ['<video srcset="a.png">'],
  ['<audio src="s.mp3" poster="p.png">', 's.mp3'],
])('the links of %s are found', (tag, ...wanted) => {
  expect(addresses(tag)).toEqual(wanted);
});

test('a link of a tag is the whole tag, and says whether it shows the file', () => {
  const link = (tag: string) => linksOfTag(tag, OFFSET)[0];
  expect(link('<a href="B.md?c#d">')).toEqual({
    ...{ kind: 'html', embed: false, target: 'B.md', query: '?c', anchor: 'd', alias: null },
    ...{ start: 100, end: 119, destination: { start: 109, end: 117 }, property: null, angle: false },
  });
  expect(link('<img src=a.png>')).toMatchObject({ embed: true, destination: { start: 109, end: 114 } });
  expect(link('<AUDIO src=a.mp3>')).toMatchObject({ embed: true });
});

test('a set of images has at most a hundred links', () => {
  const set = Array.from({ length: 120 }, (_, at) => `${at}.png ${at}w`).join(', ');
  const found = addresses(`<img srcset="${set}">`);
  expect([found.length, found.at(-1)]).toEqual([100, '99.png']);
});
