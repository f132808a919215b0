import { expect } from 'vitest';
import { git } from '../git.ts';
import { type Attack, call, type Outcome, shown, type Targets } from './attack.ts';

/** Names that no new page or file may have, each for a different reason. */
const FORBIDDEN = [
  ...['..', '../a', 'a/../../a', 'a/..', './a', 'a/./b', '/a', 'a/', 'a//b', '/', '//a', 'a\0b', '\0'],
  ...[
    '\ud800',
    'a\udc00',
    'a\\b',
    '..\\..\\a',
    'C:\\a',
    'C:/a',
    'C:',
    '\\\\host\\share\\a',
    'a:b',
    'a.md:stream',
  ],
  ...[
    '.git',
    '.git/config',
    '.GIT/config',
    '.Git/hooks/a',
    'a/.git/b',
    'git~1',
    'GIT~1/config',
    '.git ',
    '.git.',
  ],
  ...[
    '.git\u200c/a',
    '.g\u200dit/a',
    '.gi\ufefft/a',
    '.git::$INDEX_ALLOCATION/a',
    '.git\\config',
    'a\\.git\\b',
  ],
  ...[
    '.gitmodules',
    '.gitattributes',
    '.gitignore',
    '.mailmap',
    'gitmod~1',
    'GITMOD~2',
    '.gitmodules/a',
    'gi7eba~1',
  ],
  ...[
    '.envrc',
    '.claude/settings',
    '.mcp.json',
    '.vscode/tasks',
    '.github/workflows/x.yml',
    '.husky/pre-commit',
  ],
  ...[
    '.obsidian/plugins/a/main',
    'a/.hidden',
    '...',
    '.a',
    'CON',
    'con',
    'nul',
    'PRN',
    'aux.txt',
    'COM1',
    'LPT9.a',
  ],
  ...['com¹', 'CONIN$', 'a/NUL/b', 'a.', 'a. ', 'a ', ' a', 'dir./a', 'dir /a', ' ', 'a\nb', 'a\rb', 'a\tb'],
  ...[
    '\u001b[31mred',
    'a\u2028b',
    'a\u2029b',
    'a\u0085b',
    'a\u007fb',
    'What?',
    'a*b',
    'a|b',
    'a<b',
    'a>b',
    'a"b',
  ],
  ...[
    '\u202etxt.exe',
    'a\u200bb',
    'a\u2066b',
    'a\u00adb',
    '\ufeffa',
    'a\u034fb',
    'a\u3164b',
    'a\u{e0041}b',
    'a\u180eb',
  ],
  ...[
    'x'.repeat(253),
    'x'.repeat(401),
    'x'.repeat(4_097),
    'é'.repeat(127),
    '😀'.repeat(64),
    `${'y'.repeat(300)}/a`,
  ],
  ...[`${'a/'.repeat(400)}b`, `${'../'.repeat(60)}etc/passwd`, 'a\u0301'.repeat(200), '~\u200b/a', '\u2066'],
];

/** Unusual but harmless: each becomes a page. */
const ALLOWED = [
  ...[
    '~',
    '~/a',
    '%2e%2e%2fa',
    '-rf',
    '--help',
    '$HOME',
    '$(id)',
    '`id`',
    '@{0}',
    'HEAD',
    'refs/heads/main',
    'a;b',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    "'; DROP TABLE pages; --",
    'a#b',
    'a%b',
    'a&b',
    '[[a]]',
  ],
  ...[
    '日本語/ページ',
    'العربية',
    '👩‍👩‍👧',
    'İstanbul',
    'ﬁle',
    'Café'.normalize('NFD'),
    '한글'.normalize('NFD'),
    'x'.repeat(252),
  ],
  ...[
    'é'.repeat(126),
    `${'b/'.repeat(199)}b`,
    'git',
    'git~',
    'a~1',
    'main.git/config',
    'null',
    'undefined',
    'a,b',
  ],
];

/** Both names are one file on the systems of many readers. */
const SAME = [
  'HOME',
  'home',
  'hoME',
  'Ho\u200bme',
  'ＨＯＭＥ'.normalize('NFKC').toLowerCase().replace('h', 'H'),
];

const REFUSED = ['invalid_path', 'invalid_input'];
const BYTES = { local_path: 'a.bin' };

async function insideAndPlain(_: Outcome, { wikis }: Targets): Promise<void> {
  const listed = await git(`${wikis}/main.git`, 'ls-tree', '-r', '-z', '--name-only', 'main');
  for (const file of listed.split('\0').filter((name) => name !== '')) {
    expect(
      file.split('/').every((part) => !/^\.|[.\s]$|^$/.test(part)),
      file,
    ).toBe(true);
  }
}

export const pathAttacks: Attack[] = [
  ...FORBIDDEN.map((path) => call(`new page ${shown(path)}`, 'write_page', { path, content: 'x' }, REFUSED)),
  ...ALLOWED.map((path) =>
    call(`odd page ${shown(path)}`, 'append_to_page', { path, content: 'x' }, ['ok'], insideAndPlain),
  ),
  ...SAME.slice(0, 4).map((path) =>
    call(`Home beside ${shown(path)}`, 'write_page', { path, content: 'x' }, [...REFUSED, 'already_exists']),
  ),
  // The same rules in the other operations that create names: those that have code of their own.
  ...FORBIDDEN.filter((_, at) => at % 6 === 0).map((path) =>
    call(`move to ${shown(path)}`, 'move_page', { path: 'Home', new_path: path }, [
      ...REFUSED,
      'not_found',
      'already_exists',
    ]),
  ),
  ...FORBIDDEN.filter((_, at) => at % 6 === 1).map((path) =>
    call(
      `a batch with ${shown(path)}`,
      'commit_changes',
      { message: 'm', changes: [{ op: 'write', path, content: 'x' }] },
      REFUSED,
    ),
  ),
  ...[
    '.git/hooks/pre-commit',
    '.claude/settings.json',
    '.mcp.json',
    '../a.png',
    'a\0.png',
    '.gitmodules',
    '.gitattributes',
  ].map((path) =>
    call(`attachment ${shown(path)}`, 'put_attachment', { path, ...BYTES }, [...REFUSED, 'not_found']),
  ),
  ...['.git/config', '../secret', '../../secret', '/etc/passwd', '..\\secret', '.git/HEAD'].flatMap(
    (path) => [
      call(`reading ${shown(path)}`, 'read_page', { path }, [...REFUSED, 'not_found']),
      call(`getting ${shown(path)}`, 'get_attachment', { path }, [...REFUSED, 'not_found']),
    ],
  ),
  ...[
    '../outside',
    '..',
    '.',
    'a/b',
    'main.git',
    '/etc',
    'C:',
    'a\0',
    '-',
    '__proto__',
    'MAIN',
    'x'.repeat(65),
  ].map((wiki) =>
    call(`wiki ${shown(wiki)}`, 'write_page', { wiki, path: 'A', content: 'x' }, [...REFUSED, 'not_found']),
  ),
];
