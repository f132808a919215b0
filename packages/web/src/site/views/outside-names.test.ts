import { readFileSync } from 'node:fs';
import { type CallInput, callOperation, type OperationName, type Output } from '@pagetree/wiki/contract';
import { expect, test } from 'vitest';
import { openSite } from '../../../test/open-site.ts';

/** Turns the letters after it around, up to the end of the isolated text. */
const TURN = '\u202E';

/** What the style sheet isolates, and paragraphs of their own. */
const style = readFileSync(new URL('../style/base.css', import.meta.url), 'utf8');
const [, selectors = ''] = /:is\(([^)]*)\):not\(article \*\) \{\s*unicode-bidi: isolate;/.exec(style) ?? [];
const ISOLATED = new Set([...selectors.split(', '), 'p', 'pre']);

test('marks in names from outside turn nothing around but the name', async () => {
  const { wiki, get } = await openSite();
  const caller = { author: { name: `Mallory${TURN}`, email: 'm@example.org' }, agent: null };
  const run = async <Name extends OperationName>(name: Name, input: CallInput<Name>) =>
    (await callOperation(wiki, name, input, { caller })) as Output<Name>;
  const content = `---\nowners: [Eve${TURN}, Bob]\n---\n# Page\n\nWords.\n`;
  const { commit } = await run('write_page', { path: 'Page', content, message: `Say${TURN} so` });
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
  ]) {
    const { text } = await get(address);
    const main = text.slice(text.indexOf('<main'), text.indexOf('</main>'));
    for (const [around, before = '', , after = ''] of main.matchAll(
      /<([^<>]*)>([^<>]*\u202E[^<>]*)<([^<>]*)>/g,
    )) {
      count += 1;
      const [tag = ''] = before.split(' ');
      const names = [
        tag,
        ...(/class="([^"]*)"/.exec(before)?.[1] ?? '').split(' ').map((name) => `.${name}`),
      ];
      const isAlone = after === `/${tag}` && names.some((name) => ISOLATED.has(name));
      if (!isAlone) leaks.push(`${address} ${around}`);
    }
  }
  expect(count).toBeGreaterThan(10);
  expect(leaks).toEqual([]);
});
