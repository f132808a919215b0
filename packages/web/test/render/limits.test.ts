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

const fence = (language: string, unit: string) => {
  const line = `${unit.repeat(Math.ceil(60 / unit.length))}\n`;
  return `\`\`\`${language}\nint x = 1;\n${line.repeat(36_000 / line.length)}\`\`\`\n`;
};

test.each([
  ['c', 'word '],
  ['cpp', 'a*'],
  ['hpp', 'a <1> '],
  ['ino', 'a::'],
  ['C#', 'word '],
  ['cs', 'a <;'],
  ['ini', 'a.'],
  ['toml', '"a".'],
  ['toml', '"\\"#".'],
  ['console', '$' + '{'],
  ['js', '\n\n'],
  ['ruby', '\n'],
  ['html', '<script>{'],
  ['html', '<style>{'],
])('code in %s of nothing but %j is plain, and the page is otherwise whole', async (language, unit) => {
  const { html } = await render(`*a*\n\n${fence(language, unit)}`);
  expect(html).toContain('<em>a</em>');
  expect(html).not.toContain('hljs-');
});

test.each([
  ['cpp', 'for (auto& [key, value] : counts) sum += static_cast<int>(value) * 2; // the most\n'],
  ['cpp', 'template <typename T> class Queue : public Base<T> {\n  unsigned long long count = 0;\n};\n\n'],
  ['csharp', 'public async Task<List<Page>> ReadAsync(string path, int version) => await Load(path);\n'],
  [
    'toml',
    '[server.a]\npath = "C:\\\\a"\nsay = "a \\"b\\""\nports = [1, 2.5]\n# Nothing more is needed here.\n',
  ],
  ['console', '$ cd "$(dirname "$0")"\nsome output of the program\nmore of it\nand more\n'],
  ['html', '<script>let a = "b";</script>\n<style>a { color: red }</style>\n<p>One</p>\n'],
  ['js', 'const a = (b) => b.map(({ c }) => `a ' + '$' + '{c}`);\r\n'],
])('usual code in %s is colored, however long it is', async (language, unit) => {
  expect(await isColored(fence(language, unit))).toBe(true);
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
