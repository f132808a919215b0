import { readFileSync } from 'node:fs';
import { type CallInput, callOperation, type OperationName, type Output } from '@pagetree/wiki/contract';
import { expect, test } from 'vitest';
import { openSite } from '../../../test/open-site.ts';
import { openForm, post } from '../../../test/posting.ts';
import { isolated } from '../error-page.ts';

/** Turns the letters after it around, up to the end of the isolated text. */
const TURN = '\u202E';

/** What the style sheet isolates, and paragraphs of their own. */
const style = readFileSync(new URL('../style/base.css', import.meta.url), 'utf8');
const [, selectors = ''] = /:is\(([^)]*)\):not\(article \*\) \{\s*unicode-bidi: isolate;/.exec(style) ?? [];
const ISOLATED = new Set([...selectors.split(', '), 'p', 'pre']);

test('marks in names from outside turn nothing around but the name', async () => {
  const opened = await openSite({ author: { name: `Grace${TURN}`, email: 'g@example.org' } });
  const { wiki, get } = opened;
  const caller = { author: { name: `Mallory${TURN}`, email: 'm@example.org' }, agent: null };
  const run = async <Name extends OperationName>(name: Name, input: CallInput<Name>) =>
    (await callOperation(wiki, name, input, { caller })) as Output<Name>;
  const content = `---\nowners: [Eve${TURN}, Bob]\ntags: [tag${TURN}]\n---\n# Page${TURN}\n\n## Part${TURN}\n\nWords${TURN} here.\n`;
  const { commit } = await run('write_page', { path: 'Page', content, message: `Say${TURN} so` });
  const marked = encodeURIComponent(`Name${TURN}`);
  const leaks: string[] = [];
  let count = 0;
  for (const address of [
    '/main/Page',
    `/main/Page?at=${commit}`,
    '/main/Page?view=history',
    '/main/Page?view=blame',
    `/main/Page?view=diff&to=${commit}`,
    '/_/main/changes',
    `/_/main/commits/${commit}`,
    '/_/now',
    `/_/now?agent=${marked}`,
    '/main/Page?view=edit',
    '/main/Page?view=move',
    '/main/Page?view=delete',
    `/main/Page?view=restore&at=${commit}`,
    `/main/${marked}`,
    `/main/${marked}?view=edit`,
    `/main/${marked}?view=history`,
    `/main/Page?at=${marked}`,
    `/_/main/files/${marked}`,
    `/_/${marked}/changes`,
    `/_/main/search?q=words${marked}`,
    `/_/main/search?q=words&author=${marked}`,
    `/_/main/tags/${marked}`,
    `/_/main/tags?tag=${marked}`,
    `/_/main/changes?author=${marked}&agent=${marked}`,
    `/_/main/changes?from=${marked}`,
    `/_/main/upload?folder=${marked}`,
    `/_/main/new?path=${marked}`,
  ]) {
    const { text } = await get(address);
    check(address, text);
  }
  const { site } = opened;
  const conflict = await openForm(site, '/main/Page?view=edit');
  await run('edit_page', {
    path: 'Page',
    edits: [{ old_string: 'here.', new_string: 'there.' }],
    message: `Say${TURN} no`,
  });
  conflict.fields.content = content.replace('here', 'elsewhere');
  const conflicted = await post(site, conflict);
  expect(conflicted.status).toBe(409);
  check('the conflict', conflicted.text);
  const upload = await openForm(site, '/_/main/upload');
  const body = new FormData();
  for (const [name, value] of Object.entries(upload.fields)) body.set(name, value);
  body.set('file', new File(['a'], `a${TURN}:b.txt`));
  const refused = await post(site, upload, { body });
  expect(refused.status).toBe(400);
  check('the upload', refused.text);
  expect(count).toBeGreaterThan(10);
  expect(leaks).toEqual([]);

  function check(address: string, text: string): void {
    // Each line of a diff is a block of its own.
    const main = text
      .slice(text.indexOf('<main'), text.indexOf('</main>'))
      .replaceAll(/<div class="side [^\n]*?<\/div>/g, '');
    for (const [around, before = '', , after = ''] of main.matchAll(
      /<([^<>]*)>([^<>]*\u202E[^<>]*)<([^<>]*)>/g,
    )) {
      count += 1;
      const [tag = ''] = before.split(' ');
      const names = [
        tag,
        ...(/class="([^"]*)"/.exec(before)?.[1] ?? '').split(' ').map((name) => `.${name}`),
      ];
      // The headings in a page's own text, and a field, are lines of their own.
      if (tag === 'textarea' || /^<h[12] id=/.test(around)) continue;
      const isAlone = after === `/${tag}` && names.some((name) => ISOLATED.has(name));
      if (!isAlone) leaks.push(`${address} ${around}`);
    }
  }
});

test('a sentence of an error isolates the names that it quotes', async () => {
  const { get } = await openSite();
  const { text } = await get(`/main/Page?at=${encodeURIComponent('\u05d0')}`);
  expect(isolated(`There is no page "Name${TURN}" in "Wiki".`).join('')).toBe(
    `There is no page "<bdi>Name${TURN}</bdi>" in "Wiki".`,
  );
  const { text: missing } = await get(`/main/${encodeURIComponent('\u05d0\u05d1')}`);
  expect(text + missing).toContain('<bdi>\u05d0');
});
