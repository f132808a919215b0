import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import { entryHeader } from '@pagetree/wiki/pack-entry';
import { expect, test } from 'vitest';
import { sampled } from '../../../../labs/sample.ts';
import { bareRepository, git, gitBytes } from '../../../wiki/test/native-git.ts';
import { PackObjects } from './pack-objects.ts';

test.each([['--delta-base-offset'], []])(
  'the objects of a pack of git, with deltas (%s)',
  async (...options) => {
    const directory = bareRepository();
    let text = Array.from({ length: 200 }, (_, line) => `Line ${line} of a page.\n`).join('');
    let parent: string[] = [];
    for (let version = 0; version < 20; version += 1) {
      text = text.replace(`Line ${version * 7} `, `Changed ${version} `);
      const blob = git(directory, ['hash-object', '-w', '--stdin'], text);
      const tree = git(directory, ['mktree'], `100644 blob ${blob}\tPage.md\n`);
      parent = ['-p', git(directory, ['commit-tree', tree, ...parent, '-m', `${version}`])];
    }
    git(directory, ['update-ref', 'refs/heads/main', parent[1] ?? '']);
    const pack = gitBytes(directory, ['pack-objects', '--revs', '--stdout', '--quiet', ...options], {
      input: 'main\n',
    });
    const objects = new PackObjects('remote');
    await objects.add(pack);
    const all = git(directory, ['rev-list', '--objects', '--no-object-names', 'main']).split('\n');
    expect(objects.oids().sort()).toEqual(all.sort());
    // Each is asked of native git, which takes a process. The ids alone prove what the objects are.
    for (const oid of all.filter((_, at) => at % sampled(1, 5) === 0)) {
      const type = objects.typeOf(oid);
      expect(git(directory, ['cat-file', '-t', oid])).toBe(type);
      const content = objects.read(oid, type ?? 'blob') ?? new Uint8Array(0);
      expect(Buffer.from(content)).toEqual(gitBytes(directory, ['cat-file', type ?? 'blob', oid]));
    }
  },
);

/** A pack with one object of `bytes` zeros, and deltas that each make another one of it. */
function packOfDeltas(bytes: number, count: number): Uint8Array {
  const entries = [Buffer.concat([entryHeader('blob', bytes), deflateSync(Buffer.alloc(bytes))])];
  const base = createHash('sha1').update(`blob ${bytes}\0`).update(Buffer.alloc(bytes)).digest();
  for (let at = 0; at < count; at += 1) {
    const copied = bytes - 4;
    const copy = [0xff, 0, 0, 0, 0, copied & 0xff, (copied >> 8) & 0xff, copied >> 16];
    const insert = [4, at & 0xff, at >> 8, 1, 1];
    const delta = Buffer.from([...sizeOf(bytes), ...sizeOf(bytes), ...copy, ...insert]);
    entries.push(Buffer.concat([deltaHeader(delta.length), base, deflateSync(delta)]));
  }
  const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1');
  header.writeUInt32BE(entries.length, 8);
  const pack = Buffer.concat([header, ...entries]);
  return Buffer.concat([pack, createHash('sha1').update(pack).digest()]);
}

function sizeOf(bytes: number): number[] {
  return bytes < 128 ? [bytes] : [(bytes & 127) | 128, ...sizeOf(bytes >> 7)];
}

/** The header of a delta that names its base by id, and has fewer than 2,000 bytes. */
function deltaHeader(bytes: number): Buffer {
  return Buffer.from([(7 << 4) | 128 | (bytes & 15), bytes >> 4]);
}

test('a few bytes that become very many can be stopped, and are too large in the end', async () => {
  const pack = packOfDeltas(12_000_000, 400);
  expect(pack.length).toBeLessThan(50_000);
  const stop = new AbortController();
  const adding = new PackObjects('remote').add(pack, stop.signal);
  await setImmediate();
  stop.abort();
  await expect(adding).rejects.toMatchObject({ name: 'AbortError' });
  await expect(new PackObjects('remote').add(pack)).rejects.toMatchObject({ code: 'too_large' });
});
