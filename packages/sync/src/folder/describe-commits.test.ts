import { expect, test } from 'vitest';
import { bounded, wordsFor } from './describe-commits.ts';
import { type RawCommit, toBytes } from './raw-commit.ts';

const ADA = 'author Ada <ada@example.org> 1700000000 +0100\ncommitter Ci <ci@example.org> 1700000005 +0000\n';
const BOB =
  'author Bob <bob@example.org> 1700000001 +0000\ncommitter Bob <bob@example.org> 1700000001 +0000\n';

function commitOf(words: string): RawCommit {
  return { oid: '1'.repeat(40), tree: '2'.repeat(40), parents: [], words, stands: null };
}

function describe(words: readonly string[], newest = words[0] ?? `${ADA}\nNewest\n`): string {
  const options = { newest: commitOf(newest), fallback: 'docs/ at ünïcödé', changes: 'changes of docs/' };
  return wordsFor({ commits: words.map(commitOf), ...options });
}

test('the only commit keeps its words', () => {
  const words = `${ADA}\nSubject\n\nBody.\n`;
  expect(describe([words])).toBe(words);
});

test('words in another encoding stay as they are, and are named in UTF-8 beside others', () => {
  const words = `${ADA.replace('Ada', 'Zo\xeb')}encoding ISO-8859-1\n\nGr\xfc\xdfe\n`;
  expect(describe([words])).toBe(words);
  const beside = Buffer.from(describe([words, `${BOB}\nOne\n`]), 'latin1').toString();
  expect(beside).toContain('2 changes of docs/\n\n- Grüße (Zoë)\n- One (Bob)\n');
  expect(beside).toContain('Co-authored-by: Zoë <ada@example.org>\n');
  expect(beside).not.toContain('encoding');
});

test('a long message in another encoding is cut in UTF-8', () => {
  const long = `${ADA}encoding ISO-8859-1\n\nLong\n\n${'\xe9'.repeat(60_000)}\n`;
  expect(describe([long, `${BOB}\nOne\n`])).toContain('2 changes of docs/\n\n- Long (Ada)\n- One (Bob)\n');
});

test('words in an encoding that nobody knows are not named beside others', () => {
  const words = `${ADA}encoding x-klingon\n\nqapla\n`;
  expect(describe([words])).toBe(words);
  expect(describe([words, `${BOB}\nOne\n`])).toContain('2 changes of docs/\n\n- One (Bob)\n- and 1 more\n');
});

test('several are named with their authors, and the newest has the date', () => {
  expect(describe([`${ADA}\nOne\n\nBody.\n`, `${BOB}\n\n  Two  \n`, `${ADA}\nThree\n`])).toBe(
    [
      'author Ada <ada@example.org> 1700000005 +0000\n',
      'committer Pagetree <pagetree@localhost> 1700000005 +0000\n\n',
      '3 changes of docs/\n\n- One (Ada)\n- Two (Bob)\n- Three (Ada)\n\n',
      'Co-authored-by: Ada <ada@example.org>\nCo-authored-by: Bob <bob@example.org>\n',
    ].join(''),
  );
});

test('of many commits twenty are named', () => {
  const words = describe(Array.from({ length: 25 }, (_, at) => `${ADA}\nSubject ${at}\n`));
  expect(words).toContain('25 changes of docs/\n\n- Subject 0 (Ada)\n');
  expect(words).toContain('- Subject 19 (Ada)\n- and 5 more\n\nCo-authored-by');
});

test.each([
  ['no date', 'author Bob <bob@example.org>\ncommitter Bob <bob@example.org> 1 +0000\n\nx\n'],
  ['a date with a zero before it', ADA.replace('17', '017')],
  ['no name', ADA.replace('Ada', '')],
  ['two authors', `${ADA.split('\n')[0]}\n${ADA}\nx\n`],
  ['an angle bracket in the name', ADA.replace('Ada', 'A<da')],
  ['a NUL', `${ADA}\nx\0y\n`],
  ['a name of 100,000 characters', `${ADA.replace('Ada', 'A'.repeat(100_000))}\nx\n`],
])('words with %s are left out', (_, words) => {
  const text = words.includes('\n\n') ? words : `${words}\nx\n`;
  const fallback = `docs/ at ${Buffer.from('ünïcödé').toString('latin1')}`;
  expect(describe([text], `${BOB}\nNewest\n`)).toBe(
    `author Pagetree <pagetree@localhost> 1700000001 +0000\ncommitter Pagetree <pagetree@localhost> 1700000001 +0000\n\n${fallback}\n`,
  );
  const beside = describe([text, `${BOB}\nOne\n`]);
  expect(beside).toContain('2 changes of docs/\n\n- One (Bob)\n- and 1 more\n');
});

test('a newest commit without a date gets the oldest one there is', () => {
  expect(describe([], 'author x\ncommitter y\n\nz\n')).toContain(
    'committer Pagetree <pagetree@localhost> 0 +0000\n',
  );
});

test('of a long message its beginning comes, and no part of a character', () => {
  const head = 'author A <a> 1 +0000\ncommitter A <a> 1 +0000\n\n';
  for (const sign of ['x', 'ä', '文', '𝄞', '\xe4']) {
    const words = bounded(head + (sign === '\xe4' ? '\xe4'.repeat(120_000) : toBytes(sign.repeat(120_000))));
    expect(words.length).toBeGreaterThan(99_900);
    expect(words.length).toBeLessThanOrEqual(100_000);
    const said = words.slice(head.length, -' [...]\n'.length);
    expect(said.replaceAll(toBytes(sign), '').replaceAll('\xe4', '')).toBe('');
  }
});
