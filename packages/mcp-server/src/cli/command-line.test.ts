import { expect, test } from 'vitest';
import { parseCommandLine } from './command-line.ts';

test('a site has no past', () => {
  expect(parseCommandLine(['export', 'out', '--format', 'site'])).toEqual({
    kind: 'export',
    place: 'out',
    options: { format: 'site' },
  });
  expect(parseCommandLine(['export', 'out', '--format', 'site', '--at', 'abcd'])).toMatchObject({
    kind: 'mistake',
    sentence: expect.stringContaining('newest commit'),
  });
});

test('the directory and the wiki are options', () => {
  expect(parseCommandLine(['--dir', '/wikis', '--wiki=help'])).toEqual({
    kind: 'serve',
    options: { dir: '/wikis', wiki: 'help' },
  });
  expect(parseCommandLine([])).toEqual({ kind: 'serve', options: {} });
});

test('doctor takes an address as a browser shows it, and only its origin counts', () => {
  const parsed = parseCommandLine(['doctor', '--url', 'https://ada:secret@wiki.example.org/main/?view=edit']);
  expect(parsed).toEqual({
    kind: 'doctor of an address',
    address: new URL('https://wiki.example.org'),
    options: {},
  });
});

test('help and version come before anything else', () => {
  expect(parseCommandLine(['--dir', 'x', '--help']).kind).toBe('help');
  expect(parseCommandLine(['--version']).kind).toBe('version');
});

test('an unknown client is a mistake, and the message names the known ones', () => {
  expect(parseCommandLine(['setup', 'zed', 'cursor', 'zed'])).toMatchObject({ clients: ['zed', 'cursor'] });
  expect(parseCommandLine(['setup', 'emacs'])).toMatchObject({
    kind: 'mistake',
    sentence: expect.stringMatching(/^There is no client 'emacs'; there are claude-desktop, /),
  });
});

test.each([
  [['--dri', '/wikis'], "Unknown option '--dri'. Run with --help to see the options."],
  [['--dir'], "Option '--dir <value>' argument missing. Run with --help to see the options."],
  [['--dir', '--wiki', 'a'], "Option '--dir' argument is ambiguous. Run with --help to see the options."],
  [
    ['setup', 'zed', '--print', '--remove'],
    "Options '--print' and '--remove' exclude each other. Run with --help to see the options.",
  ],
  [['setup', '--prefix', 'a'], "Option '--prefix' is for import alone. Run with --help to see the options."],
  [['--dry-run'], "Option '--dry-run' is for import and setup alone. Run with --help to see the options."],
  [['--dir', 'x', 'serve'], "'serve' comes before its options. Run with --help to see the options."],
  [
    ['doctor', '--url', 'wiki.example.org'],
    "'wiki.example.org' is no address as https://wiki.example.org. Run with --help to see the options.",
  ],
  [
    ['doctor', '--url', 'ftp://a.example'],
    "'ftp://a.example' is no address as https://wiki.example.org. Run with --help to see the options.",
  ],
  [
    ['doctor', '--url', 'https://a.example', '--dir', 'b'],
    "Options '--url' and '--dir' exclude each other. Run with --help to see the options.",
  ],
  [['--url', 'https://a.example'], "Option '--url' is for doctor alone. Run with --help to see the options."],
  [['mirror'], 'mirror needs a folder of this machine. Run with --help to see the options.'],
  [['mirror', 'a', 'b'], "Unexpected argument 'b'. Run with --help to see the options."],
  [['remote'], 'remote takes one of add, status, sync, remove. Run with --help to see the options.'],
  [
    ['remote', 'add'],
    'remote add needs the address of a git repository. Run with --help to see the options.',
  ],
  [['remote', 'add', 'a', 'b'], "Unexpected argument 'b'. Run with --help to see the options."],
  [['remote', 'sync', 'a'], "Unexpected argument 'a'. Run with --help to see the options."],
  [
    ['remote', 'sync', '--mode', 'pull'],
    "Option '--mode' is for 'remote add' alone. Run with --help to see the options.",
  ],
  [
    ['remote', 'add', '/a.git', '--mode', 'both'],
    "'--mode' takes one of two-way, pull, push. Run with --help to see the options.",
  ],
  [
    ['remote', 'add', '/a.git', '--every', '1s'],
    "'--every' takes a time such as 30s, 5m or 2h, from 10 seconds to a day. Run with --help to see the options.",
  ],
  [
    ['remote', 'add', '/a.git', '--branch', 'a..b'],
    "'a..b' is no name of a branch. Run with --help to see the options.",
  ],
  ...['../docs', '/docs', 'a//b', '.git', ''].map((folder): [string[], string] => [
    ['remote', 'add', '/a.git', '--folder', folder],
    `'${folder}' is no folder of a repository: write it from its root, as docs/. Run with --help to see the options.`,
  ]),
  [
    ['remote', 'add', 'https://a.org/a.git', '--token-file', 'a', '--token-secret', 'b'],
    "Options '--token-file' and '--token-secret' exclude each other. Run with --help to see the options.",
  ],
  [
    ['remote', 'sync', '--token-secret', 'b'],
    "Option '--token-secret' is for 'remote add' alone. Run with --help to see the options.",
  ],
  [
    ['remote', 'sync', '--let-agents-sync'],
    "Option '--let-agents-sync' is for 'remote add' alone. Run with --help to see the options.",
  ],
  [['--mode', 'pull'], "Option '--mode' is for remote alone. Run with --help to see the options."],
  [['wiki'], "Unexpected argument 'wiki'. Run with --help to see the options."],
])('%j is a mistake that one plain sentence names', (args, sentence) => {
  expect(parseCommandLine(args)).toEqual({ kind: 'mistake', sentence });
});

test.each(['docs', 'docs/'])('the folder %s of a remote is the same with and without its slash', (folder) => {
  expect(parseCommandLine(['remote', 'add', '/a.git', '--folder', folder])).toMatchObject({
    action: { folder: 'docs' },
  });
});

test('a remote is added with what is usual', () => {
  expect(parseCommandLine(['remote', 'add', 'git@example.org:notes.git'])).toEqual({
    kind: 'remote',
    action: {
      name: 'add',
      url: 'git@example.org:notes.git',
      mode: 'two-way',
      branch: null,
      everyMs: 300_000,
      tokenFile: null,
      tokenSecret: null,
      letAgentsSync: false,
    },
    options: {},
  });
});
