import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { limits } from '@pagetree/wiki/contract';
import { expect } from 'vitest';
import {
  zipOf,
  zipOfEmptyBlocks,
  zipOfExtraFields,
  zipOfNames,
  zipOfStoredBlocks,
  zipPackedBy,
  zipThatSays,
  zipWithLink,
} from '../../../wiki/test/operations/archives.ts';
import { git } from '../git.ts';
import { type Attack, callTool, shown, slowToCompress } from './attack.ts';

/** Names that a zip may contain and no wiki may get. */
const FORBIDDEN = [
  ...[
    '../evil.md',
    '../../evil.md',
    'a/../../evil.md',
    '/etc/evil.md',
    'C:/evil.md',

    'a\\..\\..\\evil.md',
  ],
  ...[
    'a\0.md',
    'CON.md',
    'a/nul.md',
    'What?.md',
    'a|b.md',
    'a*b.md',
    'a\u202etxt.md',
    'a\u200bb.md',
    'a\nb.md',
  ],
  ...[
    'git~1/evil.md',
    'gitmod~1',
    'a ./evil.md',
    'dir /evil.md',
    `${'x'.repeat(300)}.md`,
    `${'a/'.repeat(300)}b.md`,
  ],
];
/** Left out, as settings of other programs. */
const LEFT_OUT = [
  ...[
    '.git/config',
    '.GIT/config',
    'a/.git/HEAD',
    '.gitmodules',
    '.gitattributes',
    '.claude/settings.json',
    '.mcp.json',
  ],
  ...[
    '.github/workflows/x.yml',
    '.husky/pre-commit',
    '.obsidian/plugins/x/main.js',
    '.envrc',
    '__MACOSX/a.md',
    '..\\evil.md',
  ],
];

const LARGE = ['too_large', 'invalid_input', 'invalid_path'];
const REFUSED = ['invalid_path', 'invalid_input'];
const base64 = (text: string) => Buffer.from(text, 'base64');

/** Says that its files are compressed, so that they are copied out of it. */
async function zipOfSizes(sizes: readonly number[], make: (size: number) => Buffer): Promise<Buffer> {
  return zipOfStoredBlocks(sizes.map((size, at) => ({ name: `${at}.png`, content: make(size) })));
}

async function nested(depth: number): Promise<Buffer> {
  let zip = base64(await zipOf({ 'a.md': 'x' }));
  for (let level = 0; level < depth; level += 1)
    zip = base64(await zipOf({ 'a.zip': zip.toString('latin1') }));
  return zip;
}

const zips: Record<string, [make: () => Buffer | Promise<Buffer>, answers: readonly string[]]> = {
  ...Object.fromEntries(
    FORBIDDEN.map((name) => [`a file ${shown(name)}`, [() => zipOfNames(['Fine.md', name]), REFUSED]]),
  ),
  ...Object.fromEntries(
    LEFT_OUT.map((name) => [`left out: ${shown(name)}`, [() => zipOfNames(['Fine.md', name]), ['ok']]]),
  ),
  'a link to /etc/passwd': [() => base64(zipWithLink('a.md', '/etc/passwd')), [...REFUSED, 'ok']],
  'a link that leads out': [() => base64(zipWithLink('b.png', '../../secret.md')), [...REFUSED, 'ok']],
  'one name twice': [() => zipOfNames(['a.md', 'a.md']), [...REFUSED, 'already_exists']],
  'names that differ in case': [() => zipOfNames(['Same.md', 'same.md']), REFUSED],
  'names that differ in the form of Unicode': [() => zipOfNames(['Cafe\u0301.md', 'Caf\u00e9.md']), REFUSED],
  'a file that is also a folder': [() => zipOfNames(['a', 'a/b.md']), [...REFUSED, 'ok']],
  'a file that says 4 GB': [() => base64(zipThatSays(2 ** 32 - 1)), LARGE],
  'files that say 40 MB each': [() => base64(zipThatSays(40_000_000, 10, 'png')), LARGE],
  'a page that says 3 MB': [() => base64(zipThatSays(3_000_000)), LARGE],
  'a file longer than it says': [() => base64(zipThatSays(1)), ['invalid_input']],
  '60,000 files': [() => base64(zipThatSays(5, 60_000)), LARGE],
  'extra fields of 64 MB': [() => zipOfExtraFields(1_000, 64_000), LARGE],
  'extra fields that just pass': [() => zipOfExtraFields(62, 64_000), ['ok']],
  'as many files as may be': [() => base64(zipThatSays(5, limits.importFiles)), ['ok']],
  'of the most bytes, none of which can be compressed': [
    () => zipOfSizes([49_990_000, 49_990_000], (size) => randomBytes(size)),
    ['ok'],
  ],
  'of the most bytes, which take long to compress': [
    () => zipOfSizes([49_990_000, 49_990_000], slowToCompress),
    ['ok'],
  ],
  'of one byte more than the most': [
    () => zipOfSizes([50_000_000, 50_000_000, 1], (size) => Buffer.alloc(size)),
    LARGE,
  ],
  'names of 60 kB, 1,500 of them': [
    () => zipOfNames(Array.from({ length: 1_500 }, (_, at) => `${at}${' - '.repeat(20_000)}?`)),
    LARGE,
  ],
  'names that hide their ends behind 4,000 spaces': [
    () => zipOfNames(Array.from({ length: 500 }, (_, at) => `${at}~${' '.repeat(4_000)}x/y.md`)),
    REFUSED,
  ],
  'blocks of nothing, 90 MB of them': [() => zipOfEmptyBlocks(18_000_000), ['invalid_input']],
  'an unknown way of packing': [() => base64(zipPackedBy(9)), ['invalid_input']],
  'zips in zips': [() => nested(8), ['ok']],
  'a bomb of one page': [async () => base64(await zipOf({ 'a.md': 'x'.repeat(60_000_000) })), LARGE],
  'a bomb of one file': [async () => base64(await zipOf({ 'a.png': 'x'.repeat(60_000_000) })), LARGE],
  'no directory at its end': [() => zipOfNames(['a.md']).subarray(0, -30), ['invalid_input', 'not_found']],
  'a directory of garbage': [
    () => Buffer.concat([zipOfNames(['a.md']).subarray(0, 40), Buffer.alloc(9_000, 7)]),
    ['invalid_input', 'not_found'],
  ],
  'only its first bytes': [() => Buffer.from('PK\x03\x04'), ['invalid_input', 'not_found']],
  'nothing in it': [() => zipOfNames([]), ['ok', 'invalid_input']],
  'another zip before it': [
    () => Buffer.concat([zipOfNames(['a.md']), zipOfNames(['b.md'])]),
    ['ok', 'invalid_input'],
  ],
  'a page that is no text': [
    async () => base64(await zipOf({ 'a.md': '\0\ufffd\0' })),
    ['ok', 'invalid_input'],
  ],
};

export const zipAttacks: Attack[] = Object.entries(zips).map(([name, [make, answers]]) => ({
  name,
  on: 'whole',
  answers,
  async act({ whole, files, wikis }, round) {
    const wiki = `zip-${round}`;
    await writeFile(join(files, `${wiki}.zip`), await make());
    const outcome = await callTool(whole, 'import_wiki', { wiki, local_path: `${wiki}.zip` });
    if (outcome.code === 'ok' && outcome.content.changed === true) {
      const listed = await git(join(wikis, `${wiki}.git`), 'ls-tree', '-r', '-z', '--name-only', 'main');
      expect(listed.replaceAll('\0', '')).not.toMatch(/\p{Cc}/u);
      expect(listed.split(/[\0/]/).filter((part) => part.startsWith('.'))).toEqual([]);
      const kinds = await git(join(wikis, `${wiki}.git`), 'ls-tree', '-r', 'main');
      expect(kinds).not.toMatch(/^(120000|160000)/m);
    }
    return outcome;
  },
}));
