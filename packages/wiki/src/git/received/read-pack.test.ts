import { expect, test } from 'vitest';
import { entryLength, packOf, type RawEntry, repeatingDelta } from '../../../test/git-input/bundles.ts';
import { objectId } from '../../formats/oid.ts';
import { PackReader } from './read-pack.ts';

test('an entry that takes far more room compressed than it has bytes is damaged', async () => {
  const entry = (emptyBlocks: number): RawEntry => ({
    kind: 'blob',
    content: Buffer.from('small'),
    emptyBlocks,
  });
  await new PackReader(packOf([entry(100)])).read(() => {});
  await expect(new PackReader(packOf([entry(1_000)])).read(() => {})).rejects.toThrow('damaged');
});

test('a second reading rebuilds only the chains of deltas that are needed', async () => {
  const base: RawEntry = { kind: 'blob', content: Buffer.from('base') };
  const delta: RawEntry = {
    kind: 'offset_delta',
    content: repeatingDelta(4, 2),
    distance: entryLength(base),
  };
  const other: RawEntry = { kind: 'blob', content: Buffer.from('other') };
  const reader = new PackReader(packOf([base, delta, other]));
  await reader.read(() => {});
  const met = async (wanted: string) => {
    const oids: string[] = [];
    await reader.readAgain(
      (oid) => oid === wanted,
      (_type, oid) => void oids.push(oid),
    );
    return oids;
  };
  const [whole, built] = [other.content, Buffer.from('basebase')].map((content) => objectId('blob', content));
  expect(await met(whole ?? '')).toEqual([whole]);
  expect(await met(built ?? '')).toEqual([built]);
});
