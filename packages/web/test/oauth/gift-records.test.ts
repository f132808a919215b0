import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Given } from '@pagetree/access/given-rights';
import { expect, onTestFinished, test } from 'vitest';
import { SqliteRecords } from '../../src/cli/sqlite-records.ts';
import { KnownPeople } from '../../src/clients/known-people.ts';
import { personDigest } from '../../src/login/person.ts';
import { Gifts } from '../../src/oauth/gifts.ts';
import { digestOf, kindOf } from '../../src/oauth/record-kinds.ts';

const ISSUER = 'https://issuer.example';
const RESOURCE = 'https://wiki.example/mcp';
const ADA = { issuer: ISSUER, subject: 'ada', email: null, name: 'Ada', groups: [] };
const GRACE = { ...ADA, subject: 'grace', name: 'Grace' };
const HOUR_MS = 3_600_000;
const WRITES: Given = { may: 'write', wikis: [{ wiki: 'main', folders: ['A/'] }] };
const BOTH = 'wiki:read wiki:write offline_access';

async function openGifts() {
  const directory = mkdtempSync(join(tmpdir(), 'pagetree-gifts-'));
  const clock = { ms: 1_000_000 };
  const now = () => clock.ms;
  const records = await SqliteRecords.open(join(directory, 'records.sqlite'), now);
  onTestFinished(() => {
    records.close();
    rmSync(directory, { recursive: true });
  });
  const people = new KnownPeople(records, ISSUER, now);
  for (const person of [ADA, GRACE]) await people.remember(person);
  const gifts = new Gifts(records, people, RESOURCE, now);
  const untilMs = clock.ms + 1_000 * HOUR_MS;
  const put = (kind: string, id: string, value: unknown) =>
    records.put(kind, id, { value, owner: null, untilMs });
  /** Connects a client, with the token that the provider issues to it. */
  async function connect(name: string, given: Given = WRITES, issued: object = {}, person = ADA) {
    const [grantId, secret] = [`grant of ${name}`, `${name}-token`.padEnd(30, '_')];
    await put(kindOf('Grant'), digestOf(grantId), {});
    const place = { clientId: `client ${name}`, name, place: 'here' };
    const id = await gifts.make(person, grantId, { given, ...place, untilMs });
    const value = { aud: RESOURCE, grantId, accountId: personDigest(person), scope: BOTH, ...issued };
    await put(kindOf('AccessToken'), digestOf(secret), value);
    return { id, grantId, secret };
  }
  return { records, people, gifts, clock, put, connect };
}

type Opened = Awaited<ReturnType<typeof openGifts>>;
type Connected = Awaited<ReturnType<Opened['connect']>>;

test.each<[what: string, end: (opened: Opened, connected: Connected) => unknown]>([
  ['its grant', ({ records }, { grantId }) => records.remove(kindOf('Grant'), digestOf(grantId))],
  ['its own record', ({ records }, { secret }) => records.remove(kindOf('AccessToken'), digestOf(secret))],
  ['what was given', ({ gifts }, { id }) => gifts.revoke(ADA, id)],
  ['its grant, which ended', ({ gifts }, { grantId }) => gifts.end(grantId)],
  ['its person', ({ records }) => records.remove('person', personDigest(ADA))],
  ['its time', ({ clock }) => Object.assign(clock, { ms: clock.ms + 1_000 * HOUR_MS })],
])('a token counts for its person, and no more without %s', async (_, end) => {
  const opened = await openGifts();
  const connected = await opened.connect('app');
  const client = { kind: 'oauth', id: connected.id, name: 'app' };
  expect(await opened.gifts.of(connected.secret)).toEqual({ person: ADA, given: WRITES, client });
  await end(opened, connected);
  expect(await opened.gifts.of(connected.secret)).toBeNull();
});

test.each<[what: string, issued: object]>([
  ['another resource', { aud: 'https://wiki.example' }],
  ['a list of resources', { aud: [RESOURCE] }],
  ['another person', { accountId: personDigest(GRACE) }],
  ['no person', { accountId: undefined }],
  ['another grant', { grantId: 'grant of nobody' }],
])('a token for %s does not count', async (_, issued) => {
  const { gifts, connect } = await openGifts();
  await connect('other', WRITES, {}, GRACE);
  expect(await gifts.of((await connect('app', WRITES, issued)).secret)).toBeNull();
});

test('a secret in a form that no token has is not looked for', async () => {
  const { gifts, connect, put } = await openGifts();
  const { grantId } = await connect('app');
  const value = { aud: RESOURCE, grantId, accountId: personDigest(ADA), scope: BOTH };
  for (const [secret, counts] of [
    ['x'.repeat(20), true],
    ['x'.repeat(100), true],
    ['x'.repeat(19), false],
    ['x'.repeat(101), false],
    [`${'x'.repeat(30)} `, false],
    [` ${'x'.repeat(30)}`, false],
    ['', false],
  ] as const) {
    await put(kindOf('AccessToken'), digestOf(secret), value);
    expect((await gifts.of(secret)) !== null, JSON.stringify(secret)).toBe(counts);
  }
});

test('a token does no more than was given, and only reads if its client asked for no more', async () => {
  const { gifts, connect } = await openGifts();
  const reads: Given = { ...WRITES, may: 'read' };
  for (const [given, scope, may] of [
    [WRITES, BOTH, 'write'],
    [WRITES, 'wiki:write', 'write'],
    [WRITES, 'wiki:read', 'read'],
    [WRITES, 'wiki:write-not offline_access', 'read'],
    [WRITES, '', 'read'],
    [reads, BOTH, 'read'],
  ] as const) {
    const { secret } = await connect(`app ${scope} ${may}`.replaceAll(/\W/g, '-'), given, { scope });
    expect((await gifts.of(secret))?.given, scope).toEqual({ ...WRITES, may });
  }
});

test('clients are listed the newest first, with their last use, without those whose grants ended', async () => {
  const { gifts, connect, clock, records } = await openGifts();
  const connected: Connected[] = [];
  for (const name of ['one', 'two', 'three', 'four']) {
    clock.ms += 1;
    connected.push(await connect(name));
  }
  await connect('of Grace', WRITES, {}, GRACE);
  const [one, two] = connected;
  await records.remove(kindOf('Grant'), digestOf(two?.grantId ?? ''));
  let noted: number | null = null;
  for (const [ms, isNoted] of [
    [5, true],
    [HOUR_MS, false],
    [1, true],
  ] as const) {
    clock.ms += ms;
    await gifts.of(one?.secret ?? '');
    if (isNoted) noted = clock.ms;
    const listed = await gifts.list(ADA);
    expect(listed.map(({ name, usedMs }) => [name, usedMs])).toEqual([
      ['four', null],
      ['three', null],
      ['one', noted],
    ]);
  }
  expect((await gifts.list(ADA)).at(-1)).toMatchObject({ id: one?.id, place: 'here', given: WRITES });
});

test('a person ends their own clients alone, and a grant that ended by itself is forgotten once', async () => {
  const { gifts, connect, records } = await openGifts();
  const [one, two] = [await connect('one'), await connect('two')];
  expect(await gifts.revoke(GRACE, one.id)).toBe(false);
  expect(await gifts.revoke(ADA, 'none')).toBe(false);
  expect(await gifts.list(ADA)).toHaveLength(2);
  expect(await gifts.revoke(ADA, one.id)).toBe(true);
  expect(await records.get(kindOf('Grant'), digestOf(one.grantId))).toBeNull();
  expect(await gifts.revoke(ADA, one.id)).toBe(false);
  expect(await gifts.end(two.grantId)).toEqual({ person: ADA, id: two.id });
  expect(await gifts.end(two.grantId)).toBeNull();
  expect(await gifts.end('grant of nobody')).toBeNull();
  const three = await connect('three', WRITES, {}, GRACE);
  await records.remove('person', personDigest(GRACE));
  expect(await gifts.end(three.grantId)).toBeNull();
  expect(await gifts.list(GRACE)).toEqual([]);
});

test('a client that registered is kept as long as what it was given, and is known as connected', async () => {
  const { gifts, connect, records, clock } = await openGifts();
  const registered = { value: { name: 'app' }, owner: null, untilMs: clock.ms + HOUR_MS };
  await records.put(kindOf('Client'), 'client app', registered);
  expect(await gifts.isConnected('client app')).toBe(false);
  await connect('app');
  expect(await gifts.isConnected('client app')).toBe(true);
  const kept = await records.get(kindOf('Client'), 'client app');
  expect(kept).toEqual({ ...registered, untilMs: clock.ms + 1_000 * HOUR_MS });
});

test('a person has fifty clients, of whom one that ended, or was used longest ago, makes room', async () => {
  const { gifts, connect, clock, records } = await openGifts();
  const connected: Connected[] = [];
  const next = async () => {
    clock.ms += 1;
    connected.push(await connect(`n${connected.length}`));
  };
  const counting = async () => {
    const all = await Promise.all(connected.map(({ id }) => records.get('oauth gift', id)));
    return all.flatMap((record, at) => (record === null ? [] : at));
  };
  const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);
  for (let at = 0; at < 50; at += 1) {
    await next();
    // A use long ago is no reason to stay.
    if (at === 2) await gifts.of(connected[2]?.secret ?? '');
  }
  expect(await counting()).toEqual(numbers(0, 50));
  clock.ms += 1;
  await gifts.of(connected[0]?.secret ?? '');
  await next();
  expect(await counting()).toEqual([0, ...numbers(2, 51)]);
  await records.remove(kindOf('Grant'), digestOf(connected[30]?.grantId ?? ''));
  await next();
  expect(await counting()).toEqual([0, ...numbers(2, 30), ...numbers(31, 52)]);
  await next();
  expect(await counting()).toEqual([0, ...numbers(3, 30), ...numbers(31, 53)]);
});
