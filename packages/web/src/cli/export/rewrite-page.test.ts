import { expect, test } from 'vitest';
import { linesOfPage, rewritePage } from './rewrite-page.ts';

const targetOf = (address: string) => (address === '/gone' ? null : { file: `to${address}.html` });

test('addresses in tags change, and nothing that only looks like one', () => {
  const page = [
    '<a href="/A%23b?x=1&amp;y=2#part" title=" href=&#39;/x&#39;">a href="/text"</a>',
    '<a title=" href=" class="/no"><input disabled value=" src=">&#x3C;a href="/code"></a>',
    '<a href="#here">here</a><a href="https://h.example/">there</a><a href="/gone" class="c">gone</a>',
  ].join('\n');
  const rewritten = rewritePage(page, 'a/b/from.html', targetOf);
  expect(rewritten).toBe(
    [
      '<a href="../../to/A%2523b%3Fx%3D1%26y%3D2.html#part" title=" href=&#39;/x&#39;">a href="/text"</a>',
      '<a title=" href=" class="/no"><input disabled value=" src=">&#x3C;a href="/code"></a>',
      '<a href="#here">here</a><a href="https://h.example/">there</a><a class="c">gone</a>',
    ].join('\n'),
  );
});

test('the lines of a page are what a reader sees of it', () => {
  const page =
    '<nav>no</nav><article>\n<h1 id="a">One &amp; two</h1>\n<p>a <b>b</b>\nc &#x3C;d></p><table><tr><td>1</td><td>2</td></tr></table></article>no';
  expect(linesOfPage(page)).toBe('One & two\na b\nc <d>\n1 2');
});
