import { type Attack, call, callTool } from './attack.ts';

/** Expressions on which other engines, or an earlier one of ours, spent minutes; and some invalid ones. */
const COSTLY = [
  ...[
    '(a+)+$',
    '(a|a)*$',
    '(a|aa)+$',
    '(.*a){20}',
    '(a?){30}a{30}',
    '((a*)*)*$',
    '(x+x+)+y',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
  ],
  ...[
    '(?:a?){500}a{500}',
    '(?i)(?:k|ſ|s)*$',
    '[\\s\\S]*[\\s\\S]*[\\s\\S]*x',
    '(?:.|\\pL)*é',
    '\\b\\B\\b',
    '(?m)^$',
    '.*.*.*.*.*b',
  ],
  ...[
    '[^a]*$',
    '(?:(?:a{0,10}){0,10})b',
    '\\p{L}{1,500}1',
    '(?s).{900}z',
    '(?U)a+',
    '()*',
    '|',
    'a**',
    '(?:a|b|c|d|e)*f',
  ],
];
const REFUSED = [
  ...['(?i)(?:\\p{L}\\p{M}*){1,1000}y', 'a{1001}', '(a{1000}){1000}', '((((a{99}){99}){99}){99})', '(?=a)'],
  ...[
    '(?<!a)b',
    '(a)\\1',
    '(?>a)',
    'a++',
    '[',
    '(',
    '*',
    '\\',
    '[z-a]',
    '(?P<n>a)(?P<n>b)',
    '\\p{Evil}',
    '\\C',
    '(?R)',
  ],
  ...['('.repeat(900), '['.repeat(900), `${'(a'.repeat(330)}${')*'.repeat(166)}`, '\\x{110000}', '(?z)a'],
];
const WORDS = [
  ...[
    '"',
    '"a',
    '*',
    '-a',
    'a OR b',
    'NEAR(a b)',
    'a* b* c* d*',
    '^a',
    'title:a',
    '{a b}',
    '\0',
    '\ud800',
    "' OR 1=1 --",
  ],
  ...[
    'a '.repeat(499),
    '"a" '.repeat(249),
    'a* '.repeat(333),
    '漢'.repeat(999),
    '\u0301'.repeat(999),
    '('.repeat(999),
  ],
];

const fill: Attack = {
  name: 'pages to search in',
  on: 'whole',
  answers: ['ok'],
  async act({ whole }) {
    const part = (text: string) => text.repeat(Math.ceil(700_000 / text.length));
    const pages = {
      Letters: part(`${'a'.repeat(1_999)}\n`),
      Line: part('a'),
      Words: part('lorem ipsum dolor\n'),
    };
    await callTool(whole, 'create_wiki', { wiki: 'patterns' });
    for (const [path, content] of Object.entries(pages)) {
      const { code, text } = await callTool(whole, 'append_to_page', { wiki: 'patterns', path, content });
      if (code !== 'ok') throw new Error(text);
    }
    return callTool(whole, 'search_pages', { wiki: 'patterns', query: 'lorem' });
  },
};

const search = (name: string, query: string, mode: string, answers: readonly string[]) =>
  call(name, 'search_pages', { wiki: 'patterns', query, mode }, answers);

export const patternAttacks: Attack[] = [
  fill,
  ...COSTLY.map((query) => search(`costly: ${query}`, query, 'regex', ['ok', 'invalid_input'])),
  ...REFUSED.map((query) =>
    search(`refused: ${query.slice(0, 30)} (${query.length})`, query, 'regex', ['invalid_input']),
  ),
  ...WORDS.map((query) =>
    search(`words: ${JSON.stringify(query.slice(0, 30))} (${query.length})`, query, 'words', [
      'ok',
      'invalid_input',
    ]),
  ),
];
