import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Judgement, judgedByGit } from '../../../test/judged-by-git.ts';
import type { GitObject } from '../../formats/oid.ts';
import { encodePack } from '../../formats/packs/pack.ts';
import { commitFault } from './commit-faults.ts';
import type { Fault } from './fault.ts';
import { fileFault } from './file-faults.ts';
import { tagFault } from './tag-faults.ts';
import { treeFault } from './tree-faults.ts';

/**
 * Objects that we refuse and git accepts: none is of use to a wiki, and git or another reader may read them
 * differently.
 */
const STRICTER = [
  'misplacedHeader',
  'badFilemode',
  'hostileName',
  'largePathname',
  'gitmodulesParse',
  'gitmodulesUrl',
  'gitmodulesUpdate',
  // Git reads names in capitals.
  'badTreeSha1',
  'badParentSha1',
  'badObjectSha1',
  // And what strtoumax() takes for a number: blanks and signs before it.
  'badDate',
  'gitattributesSymlink',
  'gitmodulesBlob',
  // Also if a backslash follows the name.
  'gitmodulesSymlink',
  'gitattributesBlob',
];

const blob: GitObject = { type: 'blob', content: Buffer.from('text\n') };
const blobOid = 'f3a34851d44d6b97c90fbb99dddfe18cba8a1cb1';
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const who = 'A. Writer <writer@example.org> 1700000000 +0100';

/** Fixed, so that each run judges the same objects. */
const SEED = 20_261_124;

describe('is refused if git fsck --strict refuses it, and hardly else:', () => {
  test('commits with a few changed bytes or lines', () => {
    const signed = `gpgsig -----BEGIN\n abc\n -----END\nencoding latin1\n`;
    const commits = [
      `tree ${emptyTree}\nauthor ${who}\ncommitter ${who}\n\nmessage\n`,
      `tree ${emptyTree}\nparent ${'a'.repeat(40)}\nparent ${'b'.repeat(40)}\nauthor ${who}\ncommitter ${who}\n${signed}\nm\n`,
      `tree ${emptyTree}\nauthor A <a> 0 -0000\ncommitter  <> 9223372036854775807 +9999\n`,
    ];
    judge('commit', fc.oneof(...commits.map((commit) => mutated(Buffer.from(commit)))), commitFault);
  });

  test('tags', () => {
    const tags = [
      `object ${emptyTree}\ntype tree\ntag v1\ntagger ${who}\n\nmessage\n`,
      `object ${emptyTree}\ntype tree\ntag a very old tag without a tagger\n\nm\n`,
    ];
    judge('tag', fc.oneof(...tags.map((tag) => mutated(Buffer.from(tag)))), tagFault);
  });

  test('trees with a few changed bytes or entries', () => {
    const tree = treeOf([
      ['100644', 'Home.md'],
      ['40000', 'a'],
      ['100755', 'a.sh'],
      ['120000', 'link'],
      ['160000', 'sub'],
    ]);
    judge('tree', mutated(tree), (content) => treeFault(content, () => undefined));
  });

  test('trees with entries of all sorts', () => {
    const entry = fc.tuple(fc.constantFrom(...MODES), hostileName());
    const trees = fc
      .array(entry, { maxLength: 3 })
      .map((entries) => treeOf(entries.sort(([, a], [, b]) => (a < b ? -1 : 1))));
    judge('tree', trees, (content) => treeFault(content, () => undefined));
  });

  test('names of one entry', () => {
    judge(
      'tree',
      hostileName().map((name) => treeOf([['100644', name]])),
      (content) => treeFault(content, () => undefined),
      6_000,
    );
  });

  test('.gitmodules and .gitattributes', () => {
    const modules = mutated(
      Buffer.from(
        '# c\n[submodule "lib/a"]\n\tpath = lib/a\n\turl = https://example.org/a.git\n\tupdate = rebase\n\tbranch = main\n',
      ),
    );
    const values = fc.constantFrom(
      '-x',
      '--upload-pack=x',
      '../../x',
      '!cmd',
      'http://a/%0ab',
      './x',
      'ext::sh',
      '..',
      'a:b',
    );
    const keys = fc.constantFrom('url', 'path', 'update', 'URL', 'Path ');
    const names = fc.constantFrom('a', '..', 'a/../b', 'a\\..', '-a', '');
    const written = fc
      .tuple(names, keys, values)
      .map(([name, key, value]) => Buffer.from(`[submodule "${name}"]\n${key} = ${value}\n`));
    judgeFiles('gitmodules', fc.oneof(modules, written));
    const lines = fc.array(fc.constantFrom(10, 2_046, 2_047, 2_048, 5_000), { maxLength: 3 });
    judgeFiles(
      'gitattributes',
      lines.map((lengths) => Buffer.from(lengths.map((n) => `${'x'.repeat(n)}\n`).join(''))),
    );
  });
});

const MODES = [
  '100644',
  '100755',
  '40000',
  '120000',
  '160000',
  '100664',
  '0100644',
  '040000',
  '100600',
  '20000',
  '1',
  '644',
];

/** Parts of names that some file system or git itself takes for something else, one after the other. */
function hostileName(): fc.Arbitrary<string> {
  const part = fc.constantFrom(
    ...['.', '..', '.git', '.GIT', 'git', 'GIT', '~1', '~2', '~', ' ', ':', '\\', '/', 'a', '1', '12'],
    ...['\u200c', '\u202e', '\ufeff', '\u206a', '\u2010', 'é'].map((text) =>
      Buffer.from(text).toString('latin1'),
    ),
    ...[
      '\xff',
      '\xe2\x80',
      '\xef\xbf\xbe',
      '.gitmodules',
      '.gitattributes',
      '.gitignore',
      '.mailmap',
      'gitmod',
    ],
    ...[
      'gitatt',
      'gi7eba',
      'gi7d29',
      'gi7',
      'modules',
      'attributes',
      '::$INDEX_ALLOCATION',
      '~1234567',
      '.md',
    ],
  );
  return fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
}

function treeOf(entries: readonly (readonly [mode: string, name: string])[]): Buffer {
  const oids: Record<string, string> = { '40000': emptyTree, '040000': emptyTree };
  return Buffer.concat(
    entries.map(([mode, name]) =>
      Buffer.concat([Buffer.from(`${mode} ${name}\0`, 'latin1'), Buffer.from(oids[mode] ?? blobOid, 'hex')]),
    ),
  );
}

/** The bytes with a few edits: a byte replaced, put in or taken out, a line or a part doubled, moved or cut off. */
function mutated(bytes: Buffer): fc.Arbitrary<Buffer> {
  const place = fc.nat(bytes.length);
  const byte = fc.oneof(fc.constantFrom(...Buffer.from('\0\n <>+-0g1A~.')), fc.nat(255));
  const edit = fc.oneof(
    fc.record({
      kind: fc.constant('byte' as const),
      at: place,
      take: fc.nat(2),
      put: fc.array(byte, { maxLength: 2 }),
    }),
    fc.record({ kind: fc.constant('part' as const), from: place, to: place, at: place, keep: fc.boolean() }),
    fc.record({ kind: fc.constant('line' as const), line: fc.nat(6), at: fc.nat(6), keep: fc.boolean() }),
    fc.record({ kind: fc.constant('end' as const), at: place }),
  );
  return fc.array(edit, { maxLength: 2 }).map((edits) => {
    const text = edits.reduce(edited, bytes.toString('latin1'));
    return Buffer.from(text, 'latin1');
  });
}

type Edit =
  | { kind: 'byte'; at: number; take: number; put: number[] }
  | { kind: 'part'; from: number; to: number; at: number; keep: boolean }
  | { kind: 'line'; line: number; at: number; keep: boolean }
  | { kind: 'end'; at: number };

function edited(text: string, edit: Edit): string {
  const { kind, at } = edit;
  if (kind === 'end') return text.slice(0, at);
  if (kind === 'byte')
    return text.slice(0, at) + String.fromCharCode(...edit.put) + text.slice(at + edit.take);
  if (kind === 'line') {
    const lines = text.split('\n');
    const [line] = edit.keep ? [lines[edit.line]] : lines.splice(edit.line, 1);
    if (line !== undefined) lines.splice(at, 0, line);
    return lines.join('\n');
  }
  const [from, to] = [Math.min(edit.from, edit.to), Math.max(edit.from, edit.to)];
  const left = edit.keep ? text : text.slice(0, from) + text.slice(to);
  return left.slice(0, at) + text.slice(from, to) + left.slice(at);
}

function judgeFiles(file: 'gitmodules' | 'gitattributes', contents: fc.Arbitrary<Buffer>): void {
  const files = distinct(fc.sample(contents, { numRuns: 1_500, seed: SEED }));
  const { oids } = encodePack(files.map((content) => ({ type: 'blob', content })));
  const trees = oids.map((oid): GitObject => {
    const head = Buffer.from(`100644 .${file}\0`);
    return { type: 'tree', content: Buffer.concat([head, Buffer.from(oid, 'hex')]) };
  });
  const objects = [...files.map((content): GitObject => ({ type: 'blob', content })), ...trees];
  const judgement = judgedByGit(objects);
  compare(files, oids, judgement, (content) => fileFault(file, content));
}

function judge(
  type: 'commit' | 'tree' | 'tag',
  contents: fc.Arbitrary<Buffer>,
  faultOf: (content: Uint8Array) => Fault | null,
  runs = 3_000,
): void {
  const samples = distinct(fc.sample(contents, { numRuns: runs, seed: SEED }));
  const objects = samples.map((content): GitObject => ({ type, content }));
  const { oids } = encodePack(objects);
  compare(
    samples,
    oids,
    judgedByGit([...objects, blob, { type: 'tree', content: new Uint8Array() }]),
    faultOf,
  );
}

function compare(
  samples: readonly Buffer[],
  oids: readonly string[],
  { refused, unjudged }: Judgement,
  faultOf: (content: Uint8Array) => Fault | null,
): void {
  let taken = 0;
  for (const [at, content] of samples.entries()) {
    if (unjudged.has(oids[at] ?? '')) continue;
    const found = faultOf(content);
    if (found === null) taken += 1;
    const what = `${JSON.stringify(content.toString('latin1'))}: we say ${found?.id}`;
    if (refused.has(oids[at] ?? '')) expect(found, `git refuses ${what}`).not.toBeNull();
    else if (found !== null) expect(STRICTER, `git takes ${what}`).toContain(found.id);
  }
  // Else this shows nothing.
  expect(taken).toBeGreaterThan(0);
  expect(refused.size).toBeGreaterThan(10);
}

function distinct(samples: readonly Buffer[]): Buffer[] {
  return [...new Map(samples.map((bytes) => [bytes.toString('latin1'), bytes])).values()];
}
