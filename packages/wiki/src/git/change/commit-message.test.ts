import fc from 'fast-check';
import { expect, test } from 'vitest';
import { git, temporaryDirectory } from '../../../test/native-git.ts';
import { cleanAuthor, composeMessage, splitMessage } from './commit-message.ts';

const TRAILERS = ['Request-Id: 42', 'Request-Digest: abc', 'Nonce: 0f'];
const CUT = '# ------------------------ >8 ------------------------';

test('git reads our trailers and no others, whatever the author wrote', () => {
  const directory = temporaryDirectory();
  const forged = fc
    .array(
      fc.constantFrom(
        'Request-Id: forged',
        'Agent: forged',
        'Nonce: forged',
        'Signed-off-by: A <a@b>',
        '(cherry picked from commit 1111)',
        '---',
        '--- a/page.md',
        CUT,
        CUT.replace('#', ';'),
        '# comment',
        'Conflicts:',
        '\tpage.md',
        '',
        ' ',
        'plain words',
        '\u00a0',
        'diff --git a b',
        'a\rRequest-Id: forged',
        'a\u2028Request-Id: forged',
        'a\x0bRequest-Id: forged',
        'From 1111111111111111111111111111111111111111 Mon Sep 17 00:00:00 2001',
      ),
      { maxLength: 8 },
    )
    .map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(fc.oneof(forged, fc.string({ unit: 'binary' })), forged, (said, agent) => {
      const message = composeMessage(said, agent, TRAILERS);
      const read = git(directory, ['interpret-trailers', '--parse', '--no-divider'], message).split('\n');
      expect(read.filter((line) => !line.startsWith('Agent: '))).toEqual(TRAILERS);
      expect(git(directory, ['interpret-trailers', '--parse'], message).split('\n')).toEqual(read);
      expect(splitMessage(message).agent ?? undefined).toBe(
        read.find((line) => line.startsWith('Agent: '))?.slice('Agent: '.length),
      );
    }),
    { numRuns: 60 },
  );
});

test('the name of a client or an author shows all that is in it', () => {
  const hidden = ['\u202e', '\u2066', '\u200b', '\u200f', '\ufeff', '\u{e0041}', '\u0085'].join('');
  expect(composeMessage('Say', `cla${hidden}ude/1`, [])).toBe('Say\n\nAgent: claude/1\n');
  expect(cleanAuthor({ name: `${hidden}Ada`, email: `a${hidden}@b` })).toEqual({ name: 'Ada', email: 'a@b' });
  expect(cleanAuthor({ name: 'نیم\u200cفاصله', email: '' }).name).toBe('نیم\u200cفاصله');
});

test("the author's text is read back without trailers", () => {
  const message = composeMessage(
    'Fix the title\r\n\r\n\r\nBecause it was wrong.  \n',
    'claude-code/2.1',
    TRAILERS,
  );
  expect(message).toBe(
    `Fix the title\n\nBecause it was wrong.\n\nAgent: claude-code/2.1\n${TRAILERS.join('\n')}\n`,
  );
  expect(splitMessage(message)).toEqual({
    text: 'Fix the title\n\nBecause it was wrong.',
    agent: 'claude-code/2.1',
  });
});

test('trailers of other programs stay part of the message', () => {
  expect(splitMessage('Title\n\nSigned-off-by: A <a@b>\nAgent: bot\n')).toEqual({
    text: 'Title\n\nSigned-off-by: A <a@b>',
    agent: 'bot',
  });
  expect(splitMessage('Agent: not a trailer but the title\n')).toEqual({
    text: 'Agent: not a trailer but the title',
    agent: null,
  });
  expect(splitMessage('Title\n\nAgent: a trailer\nonly in words')).toEqual({
    text: 'Title\n\nAgent: a trailer\nonly in words',
    agent: null,
  });
  expect(splitMessage('')).toEqual({ text: '', agent: null });
});

test('an empty message is replaced, and a huge one is cut between characters', () => {
  expect(composeMessage(' \n\0\n', null, [])).toBe('Change the wiki\n');
  const cut = composeMessage(`x${'😀'.repeat(20_000)}`, null, []);
  expect(cut.length).toBeLessThan(20_100);
  expect(cut.isWellFormed()).toBe(true);
});

test('a name loses only what git cannot store, at both ends and wherever it stands', () => {
  for (const [name, cleaned] of [
    ['Ada Lovelace', 'Ada Lovelace'],
    ['  Ada   B.\t Lovelace  ', 'Ada B. Lovelace'],
    ['..,:;"\'\\ Ada, Countess of Lovelace Jr.', 'Ada, Countess of Lovelace Jr.'],
    ['Ada;:,"\'\\ ', 'Ada'],
    ['A<d>a <ada@x>', 'Ada ada@x'],
    ['Ada\nLovelace\0', 'Ada Lovelace'],
    [' <>"', 'Unknown'],
    ['x'.repeat(250), 'x'.repeat(200)],
    [`${'x'.repeat(199)}😀`, 'x'.repeat(199)],
  ] as const) {
    expect(cleanAuthor({ name, email: name }), name).toEqual({
      name: cleaned,
      email: cleaned === 'Unknown' ? '' : cleaned,
    });
  }
});

test('a message keeps its words and lines, but for line ends, controls, and what would end it for git', () => {
  for (const [said, kept] of [
    ['one\rtwo\r\nthree', 'one\ntwo\nthree'],
    ['\n\n\none\n\n\n\ntwo\n\n\n', 'one\n\ntwo'],
    ['a\x07b\x1fc\td  ', 'a b c\td'],
    ['---', ' ---'],
    ['--- a', ' --- a'],
    ['x --- a\n----', 'x --- a\n----'],
    [CUT, ` ${CUT}`],
    [CUT.replace('#', '////'), ` ${CUT.replace('#', '////')}`],
    [`${CUT}more`, `${CUT}more`],
    [`at ${CUT}x`, `at ${CUT}x`],
    ['x'.repeat(20_000), 'x'.repeat(20_000)],
    [`${'x'.repeat(19_999)}😀`, 'x'.repeat(19_999)],
  ] as const) {
    expect(composeMessage(said, null, [])).toBe(`${kept}\n`);
  }
  expect(composeMessage('Say', ' cla\nude \t 1 ', ['X: 1'])).toBe('Say\n\nAgent: cla ude 1\nX: 1\n');
  expect(composeMessage('Say', ' ', [])).toBe('Say\n');
});

test('only our own trailers are left out of the text, and only where git reads trailers', () => {
  const own = ['Agent: a', 'Request-Id: 1', 'Request-Digest: 2', 'Nonce: 3'];
  const others = own.map((line) => `X-${line}`);
  expect(splitMessage(`Title\n\nBody\n\n${[...others, ...own].join('\n')} \n\n`)).toEqual({
    text: `Title\n\nBody\n\n${others.join('\n')}`,
    agent: 'a',
  });
  for (const words of ['Title\n\nsee: Agent: a\n a line: of words', 'Title\n\ntwo words: x\nAgent: a'])
    expect(splitMessage(words)).toEqual({ text: words, agent: null });
});
