import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeList, encodeList } from './list-file.ts';
import type { ListedObject } from './list-objects.ts';

test('a list is read as it was kept', async () => {
  await fc.assert(
    fc.asyncProperty(lists, async (list) => {
      expect(await decodeList(await encodeList(list, pause), pause)).toEqual(list);
    }),
  );
});

test('no part of a list is believed if a byte of it is missing, added or another one', async () => {
  await fc.assert(
    fc.asyncProperty(lists, fc.nat(), fc.integer({ min: 1, max: 255 }), async (list, place, change) => {
      const bytes = await encodeList(list, pause);
      const at = place % bytes.length;
      const changed = bytes.map((byte, each) => (each === at ? byte ^ change : byte));
      for (const damaged of [changed, bytes.subarray(0, at), Buffer.concat([bytes, Buffer.of(change)])])
        expect(await decodeList(damaged, pause)).toBeNull();
    }),
  );
});

const pause = () => undefined;

const oids = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => Buffer.from(bytes).toString('hex'));

const lists = fc
  .tuple(
    oids,
    fc.uniqueArray(
      fc.tuple(oids, fc.constantFrom('commit' as const, 'tree' as const, 'blob' as const), fc.nat()),
      {
        selector: ([oid]) => oid,
      },
    ),
  )
  .map(([tip, drawn]) => {
    const objects: ListedObject[] = [];
    for (const [oid, type, place] of drawn) {
      const newer = objects[place % (objects.length + 1)]?.oid ?? null;
      objects.push({ oid, type, newer });
    }
    return { tip, objects };
  });
