import * as fs from 'node:fs';
import fc from 'fast-check';
import isomorphic from 'isomorphic-git';
import { expect, test } from 'vitest';
import { bareRepository, git, gitBytes } from '../../test/native-git.ts';
import { cleanAuthor, composeMessage } from '../git/change/commit-message.ts';
import { type Commit, MAX_MESSAGE_BYTES, parseCommit, serializeCommit, tooLongMessage } from './commit.ts';
import { objectId } from './oid.ts';

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const signatures = fc
  .record({
    author: fc.record({ name: text, email: text }),
    seconds: fc.nat({ max: 4_000_000_000 }),
    zone: fc.constantFrom('+0000', '-0730', '+1300'),
  })
  .map(({ author, seconds, zone }) => ({ ...cleanAuthor(author), seconds, zone }));
const commits: fc.Arbitrary<Commit> = fc.record({
  tree: fc.constant(EMPTY_TREE),
  parents: fc.constantFrom<string[]>([], ['1'.repeat(40)], ['1'.repeat(40), '2'.repeat(40)]),
  author: signatures,
  committer: signatures,
  message: text.map((said) => composeMessage(said, null, [])),
});

test('a commit of any text passes the strictest check of native git, which gives it the same id', () => {
  const directory = bareRepository();
  fc.assert(
    fc.property(commits, (commit) => {
      const content = serializeCommit(commit);
      const oid = git(directory, ['hash-object', '-t', 'commit', '--stdin'], content);
      expect(objectId('commit', content)).toBe(oid);
      expect(parseCommit(content)).toEqual({ ...commit, missing: null });
    }),
    { numRuns: 40 },
  );
});

test('a commit has the bytes that isomorphic-git gives it', async () => {
  const gitdir = bareRepository();
  await fc.assert(
    fc.asyncProperty(commits, async (commit) => {
      const foreign = (signature: Commit['author']) => ({
        name: signature.name,
        email: signature.email,
        timestamp: signature.seconds,
        timezoneOffset: zoneMinutes(signature.zone),
      });
      const oid = await isomorphic.writeCommit({
        fs,
        gitdir,
        commit: {
          tree: commit.tree,
          parent: [...commit.parents],
          author: foreign(commit.author),
          committer: foreign(commit.committer),
          message: commit.message,
        },
      });
      expect(objectId('commit', serializeCommit(commit))).toBe(oid);
    }),
    { numRuns: 40 },
  );
});

test('commits of all kinds are read as native git shows them', () => {
  const directory = bareRepository();
  const odd: Record<string, string> = {
    'no name': 'author  <a@b> 1700000000 +0000\ncommitter <> 1700000001 -0130\n\nSubject\n\nBody\n',
    'brackets in the name': `author A > B <a@b> 1700000000 +0000\ncommitter C <c> 1700000000 +0000\n\nx`,
    'signed and merged': [
      'author A <a@b> 1700000000 +0200',
      'committer C <c@d> 1700000000 +0000',
      'gpgsig -----BEGIN PGP SIGNATURE-----',
      ' ',
      ' encoding pretends',
      ' -----END PGP SIGNATURE-----',
      'mergetag object 1111111111111111111111111111111111111111',
      ' type commit',
      '',
      'Subject after headers\n',
    ].join('\n'),
    latin:
      'author J\xf6rg <j@x> 1700000000 +0000\ncommitter J\xf6rg <j@x> 1 +0000\nencoding ISO-8859-1\n\n\xdcber\n',
    'no message': 'author A <a@b> 1700000000 +0000\ncommitter C <c@d> 1700000000 +0000\n',
  };
  for (const [what, rest] of Object.entries(odd)) {
    const content = Buffer.from(`tree ${EMPTY_TREE}\nparent ${'3'.repeat(40)}\n${rest}`, 'latin1');
    const oid = git(directory, ['hash-object', '-t', 'commit', '-w', '--literally', '--stdin'], content);
    // The parent is not there and need not be: only this one commit is shown.
    const shown = git(directory, [
      'log',
      '--no-walk',
      '--format=%an%x00%ae%x00%at%x00%cn%x00%ce%x00%ct%x00%B',
      oid,
    ]);
    const commit = parseCommit(content);
    const { author, committer, message } = commit as Commit;
    expect(
      [
        author.name,
        author.email,
        author.seconds,
        committer.name,
        committer.email,
        committer.seconds,
        message.trim(),
      ],
      what,
    ).toEqual(
      shown
        .trim()
        .split('\0')
        .map((field, at) => (at === 2 || at === 5 ? Number(field) : field)),
    );
    expect(commit?.parents).toEqual(['3'.repeat(40)]);
  }
});

test('a commit without a tree or with an invalid parent id is read as far as possible', () => {
  const end = 'author A <a> 1 +0000\ncommitter A <a> 1 +0000\n\nx\n';
  const parent = '3'.repeat(40);
  const read = (text: string) => {
    const { tree, parents, message, missing } = parseCommit(Buffer.from(text));
    return { tree, parents, message, missing };
  };
  const rest = { message: 'x\n', missing: 'tree', tree: null };
  expect(read(end)).toEqual({ ...rest, parents: [] });
  expect(read(`parent ${parent}\n${end}`)).toEqual({ ...rest, parents: [parent] });
  expect(read(`tree 12\nparent ${parent}\n${end}`)).toEqual({ ...rest, parents: [parent] });
  expect(read(`tree ${EMPTY_TREE}\nparent 12\nparent ${parent}\n${end}`)).toEqual({
    tree: EMPTY_TREE,
    parents: [parent],
    message: 'x\n',
    missing: 'parent',
  });
  expect(read('')).toEqual({ tree: null, parents: [], message: '', missing: 'tree' });
});

const HEADERS = `tree ${EMPTY_TREE}\nauthor A <a> 1 +0000\ncommitter A <a> 1 +0000`;
const TRAILERS = 'Request-Id: r\nRequest-Digest: d\nNonce: n';

test('a message of megabytes is read up to a bound, and its last lines are kept', () => {
  const said = `${'so viele Wörter\n'.repeat(1_000_000)}\n${TRAILERS}\n`;
  const bytes = Buffer.byteLength(said);
  const content = Buffer.from(`${HEADERS}\n\n${said}`);
  const { message, tree, missing } = parseCommit(content);
  expect({ tree, missing }).toEqual({ tree: EMPTY_TREE, missing: null });
  expect(message.length).toBeLessThan(MAX_MESSAGE_BYTES + 200);
  expect(message).toMatch(/^so viele Wörter\n/);
  expect(message).toContain(`The rest of this message of ${bytes} bytes is left out.`);
  expect(message.endsWith(`\n\n${TRAILERS}\n`)).toBe(true);
  expect(tooLongMessage(content)).toBe(bytes);
});

test('the trailers of a message that is too long are never made by cutting it', () => {
  const bytes = MAX_MESSAGE_BYTES + 1;
  const { message } = parseCommit(Buffer.from(`${HEADERS}\n\n${'x'.repeat(bytes)}`));
  expect(message.split('\n').at(-2)).toBe(`(The rest of this message of ${bytes} bytes is left out.)`);
  const whole = `${HEADERS}\n\n${'x'.repeat(MAX_MESSAGE_BYTES)}`;
  expect(parseCommit(Buffer.from(whole)).message).toHaveLength(MAX_MESSAGE_BYTES);
  expect(tooLongMessage(Buffer.from(whole))).toBe(null);
});

test('the longest message that the wiki writes is read whole', () => {
  const message = composeMessage('\u20ac'.repeat(1_000_000), 'agent', [TRAILERS]);
  expect(Buffer.byteLength(message)).toBeLessThan(MAX_MESSAGE_BYTES);
});

test('headers of megabytes do not become strings of megabytes', () => {
  const long = 'n'.repeat(5_000_000);
  const who = `${long} <${long}> 1 +0000`;
  const content = `tree ${EMPTY_TREE}\nauthor ${who}\ncommitter ${who}\n${'x y\n'.repeat(1_000_000)}encoding ${long}\n\nm\n`;
  const { author, committer, message } = parseCommit(Buffer.from(content));
  for (const { name, email } of [author, committer]) expect(name.length + email.length).toBeLessThan(20_000);
  expect(message).toBe('m\n');
});

test('any bytes are read as a commit as far as they look like one', () => {
  const line = fc.constantFrom(
    `tree ${EMPTY_TREE}`,
    'author A <',
    'committer > 1',
    'encoding none',
    '',
    ' x',
  );
  const content = fc.array(fc.oneof(line, fc.string({ unit: 'binary' }))).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(content, (said) => {
      const commit = parseCommit(Buffer.from(said));
      expect(Number.isFinite(commit.committer.seconds)).toBe(true);
    }),
  );
});

test('an author name of punctuation alone still gives a commit that fsck accepts', () => {
  const directory = bareRepository();
  const signature = { ...cleanAuthor({ name: '<>\n', email: ' <a\0@b\n> ' }), seconds: 1, zone: '+0000' };
  const content = serializeCommit({
    tree: git(directory, ['mktree'], ''),
    parents: [],
    author: signature,
    committer: signature,
    message: 'x\n',
  });
  const oid = git(directory, ['hash-object', '-t', 'commit', '-w', '--stdin'], content);
  git(directory, ['update-ref', 'refs/heads/main', oid]);
  git(directory, ['fsck', '--strict']);
  expect(gitBytes(directory, ['log', '--format=%an|%ae']).toString()).toBe('Unknown|a @b\n');
});

/** As isomorphic-git takes it: minutes behind UTC. */
function zoneMinutes(zone: string): number {
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3));
  return zone.startsWith('+') && minutes > 0 ? -minutes : minutes;
}
