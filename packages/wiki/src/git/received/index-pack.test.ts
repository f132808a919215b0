import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  entryLength,
  lengthBytes,
  ObjectHeap,
  packOf,
  type RawEntry,
  repeatingDelta,
} from '../../../test/git-input/bundles.ts';
import { longestTurn } from '../../../test/longest-turn.ts';
import { bareRepository, git, gitBytes, temporaryDirectory } from '../../../test/native-git.ts';
import { WikiError } from '../../contract/errors.ts';
import { objectId } from '../../formats/oid.ts';
import { encodePackIndex } from '../../formats/packs/pack-index.ts';
import { indexPack } from './index-pack.ts';

describe('the pack of a history of native git', () => {
  test('comes with the index that git index-pack makes of it, deltas of both kinds included', async () => {
    for (const option of ['--delta-base-offset', '--no-delta-base-offset']) {
      const pack = packOfGit(historyOf(40), option);
      const file = join(temporaryDirectory(), 'a.pack');
      writeFileSync(file, pack);
      execFileSync('git', ['index-pack', file], { stdio: 'ignore' });
      const { indexBytes, types } = await indexPack(pack);
      expect(Buffer.from(indexBytes).equals(readFileSync(file.replace('.pack', '.idx')))).toBe(true);
      expect([...types.values()].filter((type) => type === 'commit')).toHaveLength(40);
    }
  });

  test('delays no other call', async () => {
    const longest = longestTurn();
    await indexPack(packOfGit(historyOf(150), '--delta-base-offset'));
    expect(longest()).toBeLessThan(600);
  });
});

describe('a pack is refused before it is unpacked if', () => {
  test('the declared size of one object, or of all, is too large', async () => {
    const blob = (says: number): RawEntry => ({ kind: 'blob', says, content: Buffer.from('x') });
    expect(await refusal(packOf([blob(50_000_001)]))).toBe(
      'too_large: The git bundle is too large to import: it says that an object has 50000001 bytes; the most is 50000000.',
    );
    const zeros = { kind: 'blob', content: Buffer.alloc(50_000_000) } as const;
    const many = Array.from({ length: 7 }, (_, at) => {
      const content = Buffer.from(zeros.content);
      content[0] = at;
      return { kind: 'blob', content } as const;
    });
    expect(await refusal(packOf(many))).toBe(
      'too_large: The git bundle is too large to import: once unpacked it has more than 200000000 bytes.',
    );
  });

  test('deltas of few bytes expand to very large objects', async () => {
    const base: RawEntry = { kind: 'blob', content: Buffer.alloc(60_000, 'x') };
    const entries: RawEntry[] = [base];
    let distance = entryLength(base);
    for (let at = 0; at < 100; at += 1) {
      const delta: RawEntry = { kind: 'offset_delta', content: repeatingDelta(60_000, 800), distance };
      entries.push(delta);
      distance += entryLength(delta);
    }
    expect(packOf(entries).length).toBeLessThan(10_000);
    const before = process.memoryUsage().arrayBuffers;
    expect(await refusal(packOf(entries))).toMatch(/^too_large: .* once unpacked it has more than/);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
    const lie = Buffer.concat([lengthBytes(60_000), lengthBytes(2 ** 45)]);
    const one: RawEntry = { kind: 'offset_delta', content: lie, distance: entryLength(base) };
    expect(await refusal(packOf([base, one]))).toMatch(
      /^too_large: .* says that an object has 35184372088832 bytes/,
    );
  });

  test('its chains of deltas are longer than git makes them', async () => {
    const entries: RawEntry[] = [{ kind: 'blob', content: Buffer.from('base') }];
    for (let at = 0; at < 65; at += 1) {
      const before = entries.at(-1) as RawEntry;
      // Copies the four bytes and adds one, so that each is another object.
      const length = 4 + at;
      const instructions = Buffer.from([0x90, length, 1, 0x61]);
      const content = Buffer.concat([lengthBytes(length), lengthBytes(length + 1), instructions]);
      entries.push({ kind: 'offset_delta', content, distance: entryLength(before) });
    }
    expect(await refusal(packOf(entries))).toMatch(/^too_large: .* more than 64 deltas rest on one another/);
    expect(await refusal(packOf(entries.slice(0, -1)))).toBe('taken');
  });

  test('the bases of its deltas take too much memory at the same time', async () => {
    const bytes = 4_200_000;
    let text = Buffer.alloc(bytes, 'x');
    const entries: RawEntry[] = [{ kind: 'blob', content: text }];
    for (let at = 0; at < 20; at += 1) {
      const base = objectId('blob', text);
      const length = text.length;
      // Two deltas by the id of their base. One takes four bytes of it; the other takes all, and adds one.
      const deltaOf = (...parts: (Buffer | number[])[]) =>
        Buffer.concat([lengthBytes(length), ...parts.map((part) => Buffer.from(part))]);
      const copied = [0xf0, length & 0xff, (length >> 8) & 0xff, length >> 16];
      const few = deltaOf(lengthBytes(5), [0x90, 4, 1, at + 1]);
      const all = deltaOf(lengthBytes(length + 1), copied, [1, 0x61]);
      entries.push({ kind: 'ref_delta', base, content: few }, { kind: 'ref_delta', base, content: all });
      text = Buffer.concat([text, Buffer.from('a')]);
    }
    expect(await refusal(packOf(entries))).toMatch(/^too_large: .* take too much memory at once\./);
  });

  test('the declared size of a tree or commit is larger than the limit for checking it at once', async () => {
    const says = (kind: 'tree' | 'commit'): RawEntry => ({
      kind,
      says: 2_000_001,
      content: Buffer.from('x'),
    });
    expect(await refusal(packOf([says('tree')]))).toBe(
      'too_large: The git bundle is too large to import: it says that a tree has 2000001 bytes; the most is 2000000.',
    );
    expect(await refusal(packOf([says('commit')]))).toMatch(
      /says that a commit has 2000001 bytes; .* 1000000\./,
    );
  });

  test('it declares more objects than are allowed', async () => {
    expect(await refusal(packOf([], 2 ** 31))).toMatch(
      /^too_large: .* it says that it has 2147483648 objects/,
    );
  });
});

test('large files are read through and not kept in memory', async () => {
  const files = [1, 2, 3].map((mark): RawEntry => {
    const content = Buffer.alloc(25_000_000);
    content[0] = mark;
    return { kind: 'blob', content };
  });
  const pack = packOf(files);
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }, 1);
  const { types } = await indexPack(pack);
  clearInterval(timer);
  expect([...types.keys()]).toEqual(files.map(({ content }) => objectId('blob', content)));
  expect(most).toBeLessThan(40_000_000);
});

describe('a pack is refused as damaged if', () => {
  const blob: RawEntry = { kind: 'blob', content: Buffer.from('x') };

  test.each<[what: string, pack: () => Buffer]>([
    ['it is empty', () => Buffer.alloc(0)],
    ['it has fewer entries than it says', () => packOf([blob], 2)],
    ['it has more entries than it says', () => packOf([blob, blob], 1)],
    ['an object has another length than it says', () => packOf([{ ...blob, says: 2 }])],
    [
      'a delta rests on itself',
      () => packOf([{ kind: 'offset_delta', content: repeatingDelta(1, 1), distance: 0 }]),
    ],
    [
      'a delta rests on nothing',
      () => packOf([blob, { kind: 'offset_delta', content: repeatingDelta(1, 1), distance: 3 }]),
    ],
    ['an object is there twice', () => packOf([blob, blob])],
    ['its checksum is another', () => Buffer.concat([packOf([blob]).subarray(0, -1), Buffer.from('x')])],
  ])('%s', async (_, pack) => {
    expect(await refusal(pack())).toMatch(/^invalid_input: The git bundle cannot be imported: its pack /);
  });
});

describe('an object that git refuses is named with what is wrong, and', () => {
  test.each<[what: string, make: (heap: ObjectHeap) => void, said: RegExp]>([
    [
      'a tree with a repository in it',
      (heap) => void heap.tree([['40000', '.git', heap.tree([])]]),
      /the tree [0-9a-f]{40} would be refused by git: it has an entry "\.git", which/,
    ],
    [
      'an author without a space',
      (heap) => void heap.commit(heap.tree([]), [], { who: 'A<a@b.c> 1 +0000' }),
      /the commit [0-9a-f]{40} would be refused by git: its author has no space before the email/,
    ],
    [
      'a tree that names no object',
      (heap) => void heap.tree([['100644', 'a', '0'.repeat(40)]]),
      /the tree [0-9a-f]{40} would be refused by git: its entry "a" names no object/,
    ],
    [
      'a tree that names what is not there',
      (heap) => void heap.tree([['100644', 'a', 'a'.repeat(40)]]),
      /it lacks the blob a{40}/,
    ],
    [
      'a folder that is a file',
      (heap) => void heap.tree([['40000', 'a', heap.add('blob', 'x')]]),
      /the blob [0-9a-f]{40} would be refused by git: another object names it as a tree/,
    ],
    [
      'an object that is a file to one folder and a folder to the other',
      (heap) => {
        heap.tree([['100644', 'a', 'a'.repeat(40)]]);
        heap.tree([['40000', 'b', 'a'.repeat(40)]]);
      },
      /the blob a{40} would be refused by git: another object names it as a tree/,
    ],
    [
      'a folder of more files than a pack may have objects',
      (heap) => {
        const names = Array.from({ length: 20_001 }, (_, at) => `${at}`.padStart(5, '0'));
        heap.tree(names.map((name) => ['100644', name, `${name}${'a'.repeat(35)}`]));
      },
      /it lacks objects that it names, such as/,
    ],
    [
      'a .gitmodules so long that its check would hold up others',
      (heap) => void heap.tree([['100644', '.gitmodules', heap.add('blob', '\n'.repeat(1_000_001))]]),
      /a \.gitmodules has 1000001 bytes/,
    ],
    [
      'a submodule that runs a command',
      (heap) =>
        void heap.tree([['100644', '.gitmodules', heap.add('blob', '[submodule "a"]\nupdate = !x\n')]]),
      /as \.gitmodules, the update of a submodule runs a command/,
    ],
  ])('%s is refused', async (_, make, said) => {
    const heap = new ObjectHeap();
    make(heap);
    const pack = packOf(heap.objects.map(({ type, content }) => ({ kind: type, content })));
    expect(await refusal(pack)).toMatch(said);
  });
});

test('the index of many objects is made in short turns', async () => {
  const entries = Array.from(
    { length: 20_000 },
    (_, at): RawEntry => ({ kind: 'blob', content: Buffer.from(`${at}`) }),
  );
  const pack = packOf(entries);
  const longest = longestTurn();
  const { indexBytes, types } = await indexPack(pack);
  expect(longest()).toBeLessThan(600);
  expect(types.size).toBe(20_000);
  expect(indexBytes.length).toBe(encodePackIndex([], pack.subarray(-20)).length + 20_000 * 28);
});

async function refusal(pack: Uint8Array): Promise<string> {
  try {
    await indexPack(pack);
    return 'taken';
  } catch (error) {
    if (!(error instanceof WikiError)) throw error;
    return `${error.code}: ${error.text.happened}`;
  }
}

function historyOf(commits: number): string {
  const repository = bareRepository();
  const log = Array.from({ length: commits }, (_, at) => {
    const text = Array.from({ length: at + 20 }, (__, line) => `line ${line}\n`).join('');
    const head = `commit refs/heads/main\ncommitter S <s@example.org> ${1_700_000_000 + at} +0200\ndata 2\nm\n`;
    return `${head}M 100644 inline a/Log.md\ndata ${text.length}\n${text}\n`;
  });
  git(repository, ['fast-import', '--quiet'], log.join(''));
  git(repository, ['repack', '-adqf']);
  return repository;
}

function packOfGit(repository: string, option: string): Buffer {
  return gitBytes(repository, ['pack-objects', '--stdout', '--all', '-q', option]);
}
