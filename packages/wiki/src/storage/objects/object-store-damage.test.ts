import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { noise } from '../../../../../labs/noise.ts';
import { bareRepository, git, temporaryDirectory } from '../../../test/native-git.ts';
import { allObjects, nativeWiki } from '../../../test/storage/native-wiki.ts';
import { land, NO_CACHE, openStore, overwrite, packFiles } from '../../../test/storage/stores.ts';
import { encodePack } from '../../formats/packs/pack.ts';
import { encodePackIndex } from '../../formats/packs/pack-index.ts';

test('two packs with one object: a flipped byte in one of them is not reported, as the other is good', async () => {
  const directory = bareRepository();
  const oid = landed(await land(directory, 'a'.repeat(40), ['shared', 'first']), 0);
  await land(directory, 'b'.repeat(40), ['shared', 'second']);
  for (const name of ['a', 'b']) {
    const copy = join(temporaryDirectory(), 'copy.git');
    cpSync(directory, copy, { recursive: true });
    flipByte(join(copy, 'objects/pack', `pack-${name.repeat(40)}.pack`), 20);
    expect(new TextDecoder().decode((await openStore(copy).read(oid)).content)).toBe('shared');
  }
});

test('no flipped byte of a pack or an index is ever served', async () => {
  const directory = nativeWiki(4);
  git(directory, ['repack', '-adfq']);
  const expected = new Map(allObjects(directory).map((object) => [object.oid, object]));
  for (const path of packFiles(directory)) {
    const intact = readFileSync(path);
    for (let at = 0; at < intact.length; at += 17) {
      flipByte(path, at);
      const store = openStore(directory, { cacheBytes: NO_CACHE });
      for (const [oid, { content }] of expected) {
        const outcome = await store.read(oid).then(
          (object) => content.equals(object.content),
          (error) => ['corrupt_pack', 'corrupt_object', 'missing_object'].includes(error.code),
        );
        expect(outcome).toBe(true);
      }
      await store.close();
      writeFileSync(path, intact, { mode: 0o644 });
    }
  }
}, 1_800_000);

test('a sound object under the id of another is refused, by whichever index it is found', async () => {
  const directory = bareRepository();
  // Larger than a pack that is read whole and by itself.
  const content = noise(400_000);
  const { packBytes } = encodePack([{ type: 'blob', content }]);
  const oid = 'a'.repeat(40);
  const entry = { oid, offset: 12, crc32: crc32(packBytes.subarray(12, -20)) };
  const indexBytes = encodePackIndex([entry], packBytes.subarray(-20));
  writeFileSync(join(directory, 'objects/pack', `pack-${oid}.pack`), packBytes);
  writeFileSync(join(directory, 'objects/pack', `pack-${oid}.idx`), indexBytes);
  await expect(openStore(directory).read(oid)).rejects.toMatchObject({ code: 'corrupt_object' });
});

test('a truncated pack, an empty index and a torn loose object are damage, not absence', async () => {
  const directory = nativeWiki(30);
  git(directory, ['repack', '-adfq']);
  const [pack = '', index = ''] = packFiles(directory);
  const last = lastObject(directory, index);
  const intact = readFileSync(pack);
  overwrite(pack, intact.subarray(0, intact.length - 60));
  await expect(openStore(directory).read(last)).rejects.toMatchObject({ code: 'corrupt_pack' });
  overwrite(pack, intact);
  overwrite(index, Buffer.alloc(0));
  overwrite(pack, Buffer.concat([intact, Buffer.alloc(300_000)]));
  await expect(openStore(directory).read(last)).rejects.toMatchObject({ code: 'corrupt_pack' });
  const loose = git(directory, ['hash-object', '-w', '--stdin'], 'torn');
  overwrite(join(directory, 'objects', loose.slice(0, 2), loose.slice(2)), Buffer.alloc(0));
  await expect(openStore(bareWith(directory)).read(loose)).rejects.toMatchObject({ code: 'corrupt_object' });
});

function landed(pack: { oids: readonly string[] }, number: number): string {
  return pack.oids[number] as string;
}

/** The oid of the object that lies last in the pack. */
function lastObject(directory: string, index: string): string {
  const lines = git(directory, ['show-index'], readFileSync(index)).split('\n');
  const entries = lines.map((line) => line.split(' '));
  return entries.sort((a, b) => Number(b[0]) - Number(a[0]))[0]?.[1] as string;
}

/** A new repository with the loose objects of another one alone. */
function bareWith(directory: string): string {
  const copy = join(temporaryDirectory(), 'copy.git');
  cpSync(directory, copy, { recursive: true });
  rmSync(join(copy, 'objects/pack'), { recursive: true });
  return copy;
}

function flipByte(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] as number) ^ 0x10;
  overwrite(path, bytes);
}
