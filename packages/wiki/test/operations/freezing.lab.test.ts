import { setImmediate } from 'node:timers/promises';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { callOperation } from '../../src/contract/dispatch.ts';
import { WikiError } from '../../src/contract/errors.ts';
import type { Call, Wiki } from '../../src/contract/wiki.ts';
import { openWiki } from '../../src/open-wiki.ts';
import { slowness } from '../machine-speed.ts';
import { git, temporaryDirectory } from '../native-git.ts';
import { commitFiles } from './local-backends.ts';

/**
 * Calls that held up every wiki of a process. Each is made while another wiki is read again and again; what counts is
 * the longest turn of the event loop, in CPU time of its thread. The bounds are for an idle machine: each call is
 * measured against work that takes a known time there.
 */
const MAX_TURN_MS = 200;
const MAX_CALL_MS = 5_000;

const page = (characters: number, part: string) => part.repeat(Math.ceil(characters / part.length));
const keys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, key) => [`k${key}`, key]));
const yaml = (count: number) => `---\n${Object.keys(keys(count)).join(': 1\n')}: 1\n---\ntext\n`;

const hostile = {
  'Headings.md': page(80_000, '# A\n'),
  'Many headings.md': page(2_000_000, '# A\n'),
  'Blank.md': `${'- '.repeat(99)}a\n${page(1_999_000, '\n')}`,
  'Marks.md': `${page(1_000_000, '* ')}x`,
  'Zalgo.md': `a${page(1_900_000, '\u0315\u0300\u05ae\u0300')}`.slice(0, 900_000),
  'Links.md': page(1_990_000, '[[a]]'),
  'Words.md': page(2_000_000, 'lorem ipsum dolor sit amet\n'),
  'Letters.md': page(2_000_000, `${'a'.repeat(1_999)}\n`),
  'Line.md': page(2_000_000, 'a'),
  'Underlined.md': page(2_000_000, 'A\n=\n'),
  'Lines.md': page(1_900_000, '\n'),
  'Pairs.md': page(1_900_000, 'ab'),
  'Unfolding.md': page(600_000, '\ufdfa'),
  'Grows.md': 'first\n',
  'Stars.md': `---\n${page(29_000, '* ')}\n---\n`,
  'Keys.md': yaml(1_500),
  'Too many keys.md': yaml(24_000),
  'Doubled.md': page(29_000, '---\na: &a {a: 1}\n').replace(/\n---/g, '\n#'),
  'Braces.md': `---\n${'}'.repeat(29_000)}\n---\n`,
};

const everywhere = (old_string: string, new_string: string) => ({
  old_string,
  new_string,
  replace_all: true,
});
const version = '0'.repeat(40);
/** Held to its turns alone: its time grows with the wiki. It is made here, so that no other call makes it. */
const INDEXING = 'the index of all these pages';
const calls: [title: string, name: string, input: Record<string, unknown>, answer: string][] = [
  [INDEXING, 'list_pages', {}, 'ok'],
  [
    'a heading that is there 20,000 times',
    'edit_section',
    { path: 'Headings', heading: 'A', operation: 'append', content: 'x' },
    'ambiguous_match',
  ],
  ['a link to a heading that is not', 'read_page', { path: '[[Many headings#B]]' }, 'no_match'],
  ['the same to read', 'read_page', { path: 'Headings', heading: 'A' }, 'ambiguous_match'],
  [
    'a heading that is there 500,000 times',
    'read_page',
    { path: 'Many headings', heading: 'A' },
    'ambiguous_match',
  ],
  ['one that is not', 'read_page', { path: 'Many headings', heading: 'B' }, 'no_match'],
  ['lists before blank lines', 'read_page', { path: 'Blank' }, 'ok'],
  ['underlined headings', 'read_page', { path: 'Underlined' }, 'ok'],
  ['a line of list marks', 'read_page', { path: 'Marks' }, 'ok'],
  ['setting 2,000 keys', 'update_frontmatter', { path: 'Keys', set: keys(2_000) }, 'ok'],
  ['setting more than fit', 'update_frontmatter', { path: 'Keys', set: keys(24_000) }, 'invalid_input'],
  ['24,000 keys to read', 'read_page', { path: 'Too many keys' }, 'ok'],
  ['24,000 keys to change', 'update_frontmatter', { path: 'Too many keys', set: { a: 1 } }, 'invalid_input'],
  ['a doubled key', 'read_page', { path: 'Doubled' }, 'ok'],
  ['YAML of errors', 'read_page', { path: 'Braces' }, 'ok'],
  ['YAML of aliases without a name', 'read_page', { path: 'Stars' }, 'ok'],
  ['words, and the index with them', 'search_pages', { query: 'lorem zzz' }, 'ok'],
  [
    'a regular expression that repeats much',
    'search_pages',
    { query: '(?i)(?:\\p{L}\\p{M}*){1,1000}y', mode: 'regex' },
    'invalid_input',
  ],
  ['one that repeats less', 'search_pages', { query: '(?:a?){500}a{500}', mode: 'regex' }, 'ok'],
  ['one on an endless line', 'search_pages', { query: '((a*)*)*$', mode: 'regex' }, 'ok'],
  [
    'an edit that matches nowhere',
    'edit_page',
    { path: 'Words', edits: [{ old_string: 'lorem ipsum dolor sit ame\n', new_string: '' }] },
    'no_match',
  ],
  [
    'an edit that matches everywhere',
    'edit_page',
    { path: 'Words', edits: [{ old_string: 'ipsum', new_string: 'y', replace_all: true }] },
    'ok',
  ],
  [
    'an edit that nearly matches everywhere',
    'edit_page',
    { path: 'Pairs', edits: [{ old_string: `${page(20_000, 'ab')}x${page(20_000, 'ab')}`, new_string: '' }] },
    'no_match',
  ],
  [
    'edits that each match everywhere',
    'edit_page',
    {
      path: 'Line',
      edits: [...'bababababa'].map((letter) => everywhere(letter === 'b' ? 'a' : 'b', letter)),
    },
    'too_large',
  ],
  ['an addition to a page of lines', 'append_to_page', { path: 'Lines', content: 'more' }, 'ok'],
  [
    'additions to one page',
    'commit_changes',
    { message: 'm', changes: Array(200).fill({ op: 'append', path: 'Grows', content: page(9_000, 'z') }) },
    'ok',
  ],
  [
    'changes of sections of a large page',
    'commit_changes',
    {
      message: 'm',
      changes: Array(200).fill({
        op: 'section',
        path: 'Underlined',
        heading: '/A[2]',
        position: 'append',
        content: 'x',
      }),
    },
    'too_large',
  ],
  [
    'a page that replaces another',
    'write_page',
    { path: 'Words', content: page(1_900_000, 'other\nwords\n'), allow_shrink: true, version },
    'version_conflict',
  ],
  ['an addition to a page of links', 'append_to_page', { path: 'Links', content: 'more' }, 'ok'],
  ['links of a page', 'get_links', { path: 'Links' }, 'ok'],
  ['everything that needs care', 'check_wiki', {}, 'ok'],
];

const call: Call = { caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: null } };

test('no call on hostile pages delays another wiki of the process', async () => {
  const { wiki } = await openWikis();
  const rows: { call: string; answer: string; turn: number; cpu: number; reads: number; factor: number }[] =
    [];
  for (const [title, name, input, expected] of calls) {
    const before = slowness();
    const { answer, turn, cpu, reads } = await measured(wiki, () => answerOf(wiki, name, input));
    const factor = Math.max(before, slowness());
    rows.push({ call: `${name}: ${title}`, answer, turn: turn / factor, cpu: cpu / factor, reads, factor });
    expect.soft(answer, title).toBe(expected);
  }
  table = rows.map(({ call, answer, turn, cpu, reads, factor }) =>
    [
      call.padEnd(62),
      answer.padEnd(16),
      turn.toFixed(0).padStart(6),
      cpu.toFixed(0).padStart(6),
      String(reads).padStart(6),
      factor.toFixed(1).padStart(6),
    ].join(' '),
  );
  for (const { call, turn, cpu } of rows) {
    expect.soft(turn, `the longest turn of ${call}`).toBeLessThan(MAX_TURN_MS);
    if (!call.endsWith(INDEXING)) expect.soft(cpu, `CPU time of ${call}`).toBeLessThan(MAX_CALL_MS);
  }
});

let table: string[] = [];

afterAll(() => {
  const head = ['call'.padEnd(62), 'answer'.padEnd(16), '  turn', '   cpu', ' reads', ' slower'].join(' ');
  process.stderr.write(
    `\n${[head, ...table].join('\n')}\nturn: longest turn of the event loop; cpu: of the whole call; both CPU ms of an idle machine, which was so many times slower meanwhile. reads: of another wiki.\n`,
  );
});

async function openWikis(): Promise<{ wiki: Wiki }> {
  const directory = temporaryDirectory();
  for (const [name, files] of [
    ['main', hostile],
    ['other', { 'Home.md': '# Home\n' }],
  ] as const) {
    git(directory, ['init', '--quiet', '--bare', '--initial-branch=main', `${directory}/${name}.git`]);
    commitFiles(`${directory}/${name}.git`, files);
  }
  const host = { backend: 'local', versions: {}, problems: [] };
  const opened = await openWiki({ directory, wiki: 'main', placement: 'local', host });
  onTestFinished(() => opened.close());
  return opened;
}

async function answerOf(wiki: Wiki, name: string, input: unknown): Promise<string> {
  try {
    await callOperation(wiki, name, input, call);
    return 'ok';
  } catch (error) {
    if (!(error instanceof WikiError)) throw error;
    return error.code;
  }
}

async function measured(wiki: Wiki, work: () => Promise<string>) {
  const state = { done: false, turn: 0, reads: 0 };
  const cpuMs = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  const watch = async () => {
    while (!state.done) {
      const before = cpuMs();
      await setImmediate();
      state.turn = Math.max(state.turn, cpuMs() - before);
    }
  };
  const readOther = async () => {
    while (!state.done) {
      await wiki.read_page(
        { wiki: 'other', path: 'Home', mode: 'content', start_line: 1, start_char: 0 },
        call,
      );
      state.reads += 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const beside = [watch(), readOther()];
  const started = cpuMs();
  const answer = await work();
  state.done = true;
  await Promise.all(beside);
  return { answer, turn: state.turn, cpu: cpuMs() - started, reads: state.reads };
}
