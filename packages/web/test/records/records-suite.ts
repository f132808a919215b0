import { expect, test } from 'vitest';
import type { Records, StoredRecord } from '../../src/records/records.ts';

/** Two processes with the same records, and the clock of both. */
export interface OpenedRecords {
  records: [Records, Records];
  /** Moves the clock. */
  pass(ms: number): void;
  now(): number;
}

/** The tests of every implementation of `Records`. */
export function testRecords(open: () => Promise<OpenedRecords>): void {
  test('a record is found by kind and id, by each process, until it is removed', async () => {
    const { records } = await open();
    const [one, other] = records;
    const value = { text: 'Ä "quoted" \u2028 $now', list: [1, null, { deep: true }] };
    await one.put('token', 'a', kept(value));
    expect(await other.get('token', 'a')).toEqual(kept(value));
    expect(await other.get('client', 'a')).toBeNull();
    expect(await other.get('token', 'A')).toBeNull();
    await other.put('token', 'a', kept('new', 'ada'));
    expect(await one.get('token', 'a')).toEqual(kept('new', 'ada'));
    expect([await other.remove('token', 'a'), await one.remove('token', 'a')]).toEqual([true, false]);
    expect(await one.get('token', 'a')).toBeNull();
  });

  test('kinds, ids and owners are any text', async () => {
    const { records } = await open();
    const [one, other] = records;
    const names = [
      '',
      '#',
      'a#b',
      'a',
      'b',
      '#b',
      'a#',
      "'; DROP TABLE record; --",
      '\u0001',
      'é',
      'e\u0301',
    ];
    for (const kind of names) for (const id of names) await one.put(kind, id, kept([kind, id], id));
    for (const kind of names) {
      for (const id of names) {
        expect(await other.get(kind, id)).toEqual(kept([kind, id], id));
        expect(await other.of(kind, id)).toEqual([{ id, ...kept([kind, id], id) }]);
      }
    }
  });

  test('a record is gone when its time has come', async () => {
    const { records, pass, now } = await open();
    const [one, other] = records;
    await one.put('code', 'a', { value: 1, owner: 'ada', untilMs: now() + 60_000 });
    pass(59_999);
    expect(await other.get('code', 'a')).toMatchObject({ value: 1 });
    expect(await other.add('code', 'a', kept(2))).toBe(false);
    pass(1);
    expect(await other.get('code', 'a')).toBeNull();
    expect(await other.of('code', 'ada')).toEqual([]);
    expect(await other.change('code', 'a', (record) => record)).toBe(false);
    expect(await other.remove('code', 'a')).toBe(false);
    expect(await other.add('code', 'a', kept(2))).toBe(true);
    pass(10_000_000);
    await one.put('code', 'b', kept(3));
    expect(await one.get('code', 'a')).toEqual(kept(2));
  });

  test('the records of an owner are listed by id, and follow a change of owner', async () => {
    const { records } = await open();
    const [one, other] = records;
    for (const id of ['c', 'a', 'b']) await one.put('token', id, kept(id, 'ada'));
    await one.put('client', 'd', kept('d', 'ada'));
    await one.put('token', 'e', kept('e', 'grace'));
    await one.put('token', 'f', kept('f'));
    const idsOf = async (owner: string) => (await other.of('token', owner)).map(({ id }) => id);
    expect(await idsOf('ada')).toEqual(['a', 'b', 'c']);
    await one.change('token', 'b', ({ value, untilMs }) => ({ value, owner: 'grace', untilMs }));
    await one.put('token', 'a', kept('a'));
    expect([await idsOf('ada'), await idsOf('grace')]).toEqual([['c'], ['b', 'e']]);
  });

  test('of those who add, change or remove at once, one wins each time', async () => {
    const { records } = await open();
    const [one, other] = records;
    const twenty = Array.from({ length: 20 }, (_, at) => ({ at, by: at % 2 === 0 ? one : other }));
    const added = await Promise.all(twenty.map(({ at, by }) => by.add('key', 'a', kept(at))));
    expect(added.filter((didAdd) => didAdd)).toHaveLength(1);
    await one.put('count', 'a', kept(0));
    const add = ({ value, ...more }: StoredRecord) => ({ ...more, value: Number(value) + 1 });
    expect(await Promise.all(twenty.map(({ by }) => by.change('count', 'a', add)))).not.toContain(false);
    expect(await other.get('count', 'a')).toEqual(kept(20));
    const once = ({ value, ...more }: StoredRecord) => (value === 'used' ? null : { ...more, value: 'used' });
    await one.put('code', 'a', kept('new'));
    const used = await Promise.all(twenty.map(({ by }) => by.change('code', 'a', once)));
    expect(used.filter((didUse) => didUse)).toHaveLength(1);
    const removed = await Promise.all(twenty.map(({ by }) => by.remove('key', 'a')));
    expect(removed.filter((didRemove) => didRemove)).toHaveLength(1);
  });

  test('a change that fails changes nothing, and others go on', async () => {
    const { records } = await open();
    const [one, other] = records;
    await one.put('key', 'a', kept(1));
    const fail = () => {
      throw new Error('no');
    };
    await expect(one.change('key', 'a', fail)).rejects.toThrow('no');
    expect(await one.change('key', 'a', () => null)).toBe(false);
    expect(await other.change('key', 'b', fail)).toBe(false);
    expect(await other.change('key', 'a', (record) => ({ ...record, value: 2 }))).toBe(true);
    expect(await one.get('key', 'a')).toEqual(kept(2));
  });
}

function kept(value: unknown, owner: string | null = null): StoredRecord {
  return { value, owner, untilMs: null };
}
