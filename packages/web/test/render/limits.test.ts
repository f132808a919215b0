import { expect, test } from 'vitest';
import { render } from './render.ts';

const code = (text: string) => `\`\`\`js\n${text}\n\`\`\`\n`;
const isColored = async (markdown: string) => (await render(markdown)).html.includes('hljs-');

test('code is colored up to a length, of a page and of a line, and is plain beyond it', async () => {
  const line = `let a = 1; ${'b '.repeat(994)}\n`;
  expect(await isColored(code(line.slice(0, 2_000)))).toBe(true);
  expect(await isColored(code(`${line.slice(0, -1)}c\nd`))).toBe(true);
  expect(await isColored(code(`${line.slice(0, -1)}${'c'.repeat(10)}`))).toBe(false);
  const lines = (length: number) => 'let a = 1;\n'.repeat(length / 10).slice(0, length);
  expect(await isColored(code(lines(49_990)))).toBe(true);
  expect(await isColored(code(lines(50_010)))).toBe(false);
  const { html } = await render(code(lines(30_000)) + code(lines(30_000)));
  expect(html.split('<pre').map((block) => block.includes('hljs-'))).toEqual([false, true, false]);
});

test('a formula that becomes too long is shown as it is written', async () => {
  const formula = (times: number) => `$$\n\\def\\a{${'x'.repeat(1_000)}}${'\\a '.repeat(times)}\n$$\n`;
  expect((await render(formula(1))).html).toContain('<math');
  const { html } = await render(formula(150));
  expect(html).not.toContain('<math');
  expect(html).toContain('\\def');
});

test('a page that is too long is not embedded', async () => {
  const embed = (length: number) => async () => ({
    path: 'Long',
    href: '/wiki/Long',
    markdown: 'word '.repeat(length / 5),
    links: [],
  });
  const embedded = async (length: number) => (await render('![[Long]]\n', { embed: embed(length) })).html;
  expect(await embedded(500_000)).toContain('word word');
  const { length } = await embedded(500_005);
  expect(length).toBeLessThan(1_000);
});

const LONG = 'x'.repeat(50_000);

test.each([
  ['an attribute', `<p><b title="${LONG}">${'<p>a'.repeat(3_000)}`],
  ['a title', `[a]: https://a.test "${LONG}"\n\n${'[a] '.repeat(3_000)}`],
  ['an address', `[a]: https://a.test/${LONG}\n\n${'[a] '.repeat(3_000)}`],
])('a short page that repeats %s many times is shown as it is written', async (_, markdown) => {
  const { html } = await render(markdown);
  expect(html.slice(0, 100)).toContain('<p class="notice">This page is too large to');
  expect(html.length).toBeLessThan(100_000);
});
