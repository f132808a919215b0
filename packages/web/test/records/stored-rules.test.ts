import type { Access } from '@pagetree/access/parse-access';
import { expect, test, vi } from 'vitest';
import type { StoredRecord } from '../../src/records/records.ts';
import { StoredRules, storeRules } from '../../src/records/stored-rules.ts';
import { accessOf } from '../login/team.ts';

const RULES = accessOf([{ people: ['ada@example.org'], wikis: ['main'], may: 'write' }]);
const OTHERS = accessOf([]);

/** Records of which one is written and read, as two processes do. */
function openRules() {
  const stored: { record: StoredRecord | null } = { record: null };
  const clock = { ms: 1_000_000 };
  const get = vi.fn(async () => stored.record);
  const rules = new StoredRules({ get }, () => clock.ms);
  const put = async (_kind: string, _id: string, record: StoredRecord) => {
    stored.record = JSON.parse(JSON.stringify(record));
  };
  return { rules, store: (access: Access) => storeRules({ put }, access), get, clock, put };
}

test('rules count at once at the first look, and within three seconds at later ones', async () => {
  const { rules, store, get, clock } = openRules();
  await store(RULES);
  await rules.look();
  expect(rules.access).toEqual(RULES);
  await store(OTHERS);
  clock.ms += 2_999;
  await rules.look();
  expect([rules.access, get.mock.calls.length]).toEqual([RULES, 1]);
  clock.ms += 1;
  await rules.look();
  expect(rules.access).toEqual(OTHERS);
});

test('before a look nobody has a right, and a look that finds no rules fails', async () => {
  const { rules, store } = openRules();
  expect(rules.access).toEqual(OTHERS);
  await expect(rules.look()).rejects.toThrow('No rules are in force yet.');
  await store(RULES);
  await rules.look();
  expect(rules.access).toEqual(RULES);
});

test('rules that are none, or that cannot be read, are reported and let nobody in', async () => {
  const { rules, store, get, clock, put } = openRules();
  await store(RULES);
  await rules.look();
  clock.ms += 3_000;
  await put('', '', { value: { version: 2, rules: [] }, owner: null, untilMs: null });
  await expect(rules.look()).rejects.toThrow('"version" must be 1');
  get.mockRejectedValueOnce(new Error('the table does not answer'));
  await expect(rules.look()).rejects.toThrow('the table does not answer');
  await store(RULES);
  await rules.look();
  expect(rules.access).toEqual(RULES);
});

test('the late answer of an older look does not put older rules back', async () => {
  const { rules, store, get, clock } = openRules();
  await store(RULES);
  const late = Promise.withResolvers<StoredRecord>();
  get.mockReturnValueOnce(late.promise);
  const older = rules.look();
  await store(OTHERS);
  clock.ms += 1;
  await rules.look();
  late.resolve({ value: RULES, owner: null, untilMs: null });
  await older;
  expect(rules.access).toEqual(OTHERS);
});
