import { expect, test } from 'vitest';
import { MAX_MESSAGE_BYTES, parseCommit, serializeCommit, tooLongMessage } from './commit.ts';

const TREE = '1'.repeat(40);
const PARENT = '2'.repeat(40);
const ADA = 'Ada <ada@example.org> 1700000000 +0100';
const ada = { name: 'Ada', email: 'ada@example.org', seconds: 1_700_000_000, zone: '+0100' };
const bytesOf = (...lines: (string | Buffer)[]) =>
  Buffer.concat(
    lines.flatMap((line, at) => (at === 0 ? [Buffer.from(line)] : [Buffer.from('\n'), Buffer.from(line)])),
  );
const parsed = (...lines: (string | Buffer)[]) => parseCommit(bytesOf(...lines));

test('an author line with missing parts is read as git reads it', () => {
  const nobody = { name: '', email: '', seconds: 0, zone: '+0000' };
  for (const [line, person] of [
    [ADA, ada],
    ['  Ada   < ada@example.org  >   1700000000    +0100 and more', ada],
    ['Ada <ada@example.org>1700000000 +0100', ada],
    ['Ada <ada@example.org> 1700000000', { ...ada, zone: '+0000' }],
    ['Ada <ada@example.org> 1700000000 0100', { ...ada, zone: '+0000' }],
    ['Ada <ada@example.org> +0100', { ...ada, seconds: 0, zone: '+0000' }],
    ['Ada <ada@example.org> x 1700000000 +0100', { ...ada, seconds: 0, zone: '+0000' }],
    ['Ada <ada@example.org> B <b> 1700000000 +0100', ada],
    ['Ada <ada@example.org> 99999999999999999 +0100', { ...ada, seconds: 8_640_000_000_000 }],
    [' Ada ada@example.org 1700000000 +0100 ', { ...nobody, name: 'Ada ada@example.org 1700000000 +0100' }],
    ['Ada <ada@example.org 1700000000', { ...nobody, name: 'Ada <ada@example.org 1700000000' }],
    ['Ada> 1700000000 +0100', { ...nobody, name: 'Ada> 1700000000 +0100' }],
    ['<> 1 +0000', { ...nobody, seconds: 1 }],
  ] as const) {
    const commit = parsed(`tree ${TREE}`, `author ${line}`, `committer ${ADA}`, '', 'm');
    expect(commit.author, line).toEqual(person);
    expect([commit.committer, commit.message, commit.missing]).toEqual([ada, 'm', null]);
  }
});

test('a commit without a tree, a person, a blank line or a message is read as far as it goes', () => {
  const nobody = { name: '', email: '', seconds: 0, zone: '+0000' };
  expect(parsed('')).toEqual({
    tree: null,
    missing: 'tree',
    parents: [],
    author: nobody,
    committer: nobody,
    message: '',
  });
  expect(parsed('', `tree ${TREE}`)).toMatchObject({ tree: null, message: `tree ${TREE}` });
  expect(parsed('', '', 'm')).toMatchObject({ tree: null, message: '\nm' });
  expect(parsed(`tree ${TREE}`)).toMatchObject({ tree: TREE, missing: null, message: '' });
  expect(parsed(`tree ${TREE}`, `committer ${ADA}`)).toMatchObject({
    author: nobody,
    committer: ada,
    message: '',
  });
  expect(parsed(`tree ${TREE}`, '', `author ${ADA}`)).toMatchObject({
    author: nobody,
    message: `author ${ADA}`,
  });
  expect(parsed('tree x', `parent ${PARENT}`, '', 'm')).toMatchObject({
    tree: null,
    parents: [PARENT],
    missing: 'tree',
  });
  expect(parsed(`tree ${TREE}`, 'parent x', `parent ${PARENT}`, '', 'm')).toMatchObject({
    tree: TREE,
    parents: [PARENT],
    missing: 'parent',
  });
  expect(parsed(`xtree ${TREE}`, '', 'm')).toMatchObject({ tree: null });
});

test('names and words in another encoding are read in it, and in an unknown one as UTF-8', () => {
  const latin = Buffer.from('Käthe <k@example.org> 1 +0000', 'latin1');
  const commit = (...more: string[]) =>
    parsed(
      `tree ${TREE}`,
      Buffer.concat([Buffer.from('author '), latin]),
      `committer ${ADA}`,
      ...more,
      '',
      latin,
    );
  const [read, broken] = ['Käthe <k@example.org> 1 +0000', 'K\ufffdthe <k@example.org> 1 +0000'];
  expect(commit('encoding ISO-8859-1').message).toBe(read);
  expect(commit('encoding ISO-8859-1').author.name).toBe('Käthe');
  expect(commit('gpgsig -----', ' encoding x', 'encoding ISO-8859-1').message).toBe(read);
  expect(commit('encoding klingon').message).toBe(broken);
  expect(commit().message).toBe(broken);
  // What the message says is no header.
  expect(
    parsed(`tree ${TREE}`, `author ${ADA}`, `committer ${ADA}`, '', 'é', 'encoding ISO-8859-1').message,
  ).toBe('é\nencoding ISO-8859-1');
  expect(parsed(`tree ${TREE}`, '', '\ufeffword').message).toBe('\ufeffword');
  const written = serializeCommit({
    tree: TREE,
    parents: [PARENT],
    author: ada,
    committer: ada,
    message: 'Ü\ufeff\n',
  });
  expect(parseCommit(written)).toEqual({
    tree: TREE,
    parents: [PARENT],
    author: ada,
    committer: ada,
    message: 'Ü\ufeff\n',
    missing: null,
  });
});

test('a message that is too long keeps its beginning and its trailers, and says its size', () => {
  const head = [`tree ${TREE}`, `author ${ADA}`, `committer ${ADA}`, ''];
  const words = (bytes: number) => bytesOf(...head, 'x'.repeat(bytes));
  expect(tooLongMessage(words(MAX_MESSAGE_BYTES))).toBeNull();
  expect(parseCommit(words(MAX_MESSAGE_BYTES)).message).toBe('x'.repeat(MAX_MESSAGE_BYTES));
  expect(tooLongMessage(words(MAX_MESSAGE_BYTES + 1))).toBe(MAX_MESSAGE_BYTES + 1);
  expect(tooLongMessage(bytesOf(`tree ${'x'.repeat(MAX_MESSAGE_BYTES + 50)}`))).toBeNull();
  const left = (size: number) => `\n\n(The rest of this message of ${size} bytes is left out.)\n`;
  const trailers = 'Request-Id: 1\nNonce: 2\n';
  const long = bytesOf(...head, `${'x'.repeat(150_000)}\n\n${trailers}`);
  const size = 150_002 + trailers.length;
  expect(parseCommit(long).message).toBe(`${'x'.repeat(98_000)}${left(size)}\n${trailers}`);
  expect(parseCommit(words(150_000)).message).toBe(`${'x'.repeat(98_000)}${left(150_000)}`);
});
