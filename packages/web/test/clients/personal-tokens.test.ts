import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SqliteRecords } from '../../src/cli/sqlite-records.ts';
import { KnownPeople } from '../../src/clients/known-people.ts';
import { PersonalTokens } from '../../src/clients/personal-tokens.ts';

const ISSUER = 'https://issuer.example';
const ADA = { issuer: ISSUER, subject: 'ada', email: null, name: 'Ada', groups: ['editors'] };
const GIVEN = { may: 'read', wikis: null } as const;
const HOUR_MS = 3_600_000;

async function openTokens() {
  const directory = mkdtempSync(join(tmpdir(), 'pagetree-tokens-'));
  const clock = { ms: 1_000_000 };
  const now = () => clock.ms;
  const records = await SqliteRecords.open(join(directory, 'records.sqlite'), now);
  onTestFinished(() => {
    records.close();
    rmSync(directory, { recursive: true });
  });
  const people = new KnownPeople(records, ISSUER, now);
  await people.remember(ADA);
  return { records, people, clock, now, tokens: new PersonalTokens(records, people, now) };
}

test('the last use of a token is noted at most once an hour', async () => {
  const { tokens, clock } = await openTokens();
  const made = await tokens.make(ADA, { name: 'script', given: GIVEN, untilMs: clock.ms + 24 * HOUR_MS });
  const usedAfter = async (ms: number) => {
    clock.ms += ms;
    expect(await tokens.of(made?.secret ?? '')).toMatchObject({ person: ADA, given: GIVEN });
    return (await tokens.list(ADA))[0]?.usedMs;
  };
  const first = clock.ms + 5;
  expect(await usedAfter(5)).toBe(first);
  expect(await usedAfter(HOUR_MS - 1)).toBe(first);
  expect(await usedAfter(2)).toBe(clock.ms);
});

test('tokens are listed the newest first, without those that have ended', async () => {
  const { tokens, clock } = await openTokens();
  for (let at = 0; at < 6; at += 1) {
    clock.ms += 1;
    await tokens.make(ADA, { name: `${at}`, given: GIVEN, untilMs: clock.ms + (at === 2 ? 10 : HOUR_MS) });
  }
  clock.ms += 20;
  const listed = await tokens.list(ADA);
  expect(listed.map(({ name }) => name)).toEqual(['5', '4', '3', '1', '0']);
  expect(listed[0]).toMatchObject({ untilMs: 1_000_006 + HOUR_MS });
  expect(await tokens.revoke(ADA, 'none')).toBe(false);
  expect(await tokens.list(ADA)).toEqual(listed);
});

test('a later login changes the rights of clients only by another address or other groups', async () => {
  const { people } = await openTokens();
  const person = { ...ADA, groups: ['editors', 'admins'] };
  await people.remember(person);
  expect(await people.isUnchanged({ ...person, name: 'Ada King', groups: ['admins', 'editors'] })).toBe(true);
  expect(await people.isUnchanged({ ...person, groups: ['admins'] })).toBe(false);
  expect(await people.isUnchanged({ ...person, email: 'ada@example.org' })).toBe(false);
  expect(await people.isUnchanged({ ...person, subject: 'grace', groups: [] })).toBe(true);
});

test('a person of the issuer of before is not known, nor a person as before a later login', async () => {
  const { records, people, now, tokens, clock } = await openTokens();
  const made = await tokens.make(ADA, { name: 'script', given: GIVEN, untilMs: clock.ms + HOUR_MS });
  const secret = made?.secret ?? '';
  const moved = new KnownPeople(records, 'https://other.example', now);
  expect(await new PersonalTokens(records, moved, now).of(secret)).toBeNull();
  const left = { ...ADA, name: 'Ada King', groups: [] };
  await people.remember(left);
  expect((await tokens.of(secret))?.person).toEqual(left);
});
