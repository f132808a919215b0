import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bareRepository } from '../../../test/native-git.ts';
import { openStore } from '../../../test/storage/stores.ts';
import { objectId } from '../../formats/oid.ts';
import { Run } from '../maintenance/run.ts';
import { openSoundness } from './soundness.ts';

test.each(['a commit that is too large to be read', 'a commit without a tree'])(
  'a check goes on behind %s',
  async (what) => {
    const repository = bareRepository();
    const text = Buffer.from('author A <a@b.c> 1 +0000\n\nm\n');
    const isLarge = what.includes('large');
    const commit = isLarge ? 'a'.repeat(40) : objectId('commit', text);
    const folder = join(repository, 'objects', commit.slice(0, 2));
    mkdirSync(folder);
    const header = Buffer.from(`commit ${isLarge ? 2 ** 32 : text.length}\0`);
    writeFileSync(join(folder, commit.slice(2)), deflateSync(Buffer.concat([header, text])));
    const soundness = openSoundness(Run.toItsEnd(), openStore(repository));
    expect(await soundness.isComplete(commit)).toBe(true);
    expect(soundness.unsound).toEqual([]);
    expect(soundness.refused.map(({ oid }) => oid)).toEqual(isLarge ? [commit] : []);
  },
);
