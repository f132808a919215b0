import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { git } from '../../../test/native-git.ts';
import { pageRequest, writeCommit } from '../../../test/storage/pages.ts';
import { nativeView, newWiki, openWriter } from '../../../test/storage/writers.ts';
import { objectId } from '../../formats/oid.ts';

it('a file that is read late is in the commit, once, and can be read while the commit is built', async () => {
  const directory = await newWiki();
  const { storage } = await openWriter(directory);
  const later = (text: string) => {
    const content = Buffer.from(text);
    return { oid: objectId('blob', content), length: content.length, read: async () => content };
  };
  const both = Buffer.from('in memory too');
  await storage.commit({
    ...pageRequest('Large.bin', ''),
    build: async (base, transaction) => {
      const large = await transaction.writeLater(later('large'));
      const inMemory = await transaction.write('blob', both);
      expect(await transaction.writeLater(later('in memory too'))).toBe(inMemory);
      expect(await transaction.read(large)).toEqual({ type: 'blob', content: Buffer.from('large') });
      expect(await transaction.read(inMemory)).toEqual({ type: 'blob', content: both });
      const pages = new Map([
        ['Both.md', inMemory],
        ['Large.bin', large],
      ]);
      return writeCommit(transaction, base, pages, 'Write both');
    },
  });
  expect(nativeView(directory).pages).toEqual({ 'Both.md': 'in memory too', 'Large.bin': 'large' });
  const packs = join(directory, 'objects/pack');
  const index = readdirSync(packs).find((name) => name.endsWith('.idx')) ?? '';
  const lines = git(packs, ['verify-pack', '--verbose', index]).split('\n');
  expect(lines.filter((line) => /^[0-9a-f]{40} /.test(line))).toHaveLength(4);
});
