import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limitToRights } from '@pagetree/access/limit-to-rights';
import type { Rights } from '@pagetree/access/rights';
import { openSigner, type SignGrant } from '@pagetree/access/sign-grant';
import { openWiki } from '@pagetree/wiki';
import { callOperation, type Output, type Request, type Wiki } from '@pagetree/wiki/contract';
import fc from 'fast-check';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { admitAll, admitGranted } from './admission.ts';
import { createHandler } from './handler.ts';
import { untraced } from './tracing.ts';

const NOW_MS = Date.parse('2026-11-27T10:00:00Z');
const ADA = { issuer: 'https://issuer.example', subject: 'ada|1' };
const caller = { author: { name: 'Ada', email: 'ada@example.org' }, agent: 'claude/1' };

const whole = { read: [''], write: [''], mayAdminister: false };
const RIGHTS: Rights = { wikis: new Map([['main', { ...whole, read: ['Guides/'], write: ['Guides/'] }]]) };
const ALL_RIGHTS: Rights = { wikis: new Map([['*', { ...whole, mayAdminister: true }]]) };

let keys: { privateKey: JWK; publicKey: string };
let otherKey: JWK;
let sign: SignGrant;

beforeAll(async () => {
  keys = await newKeys();
  otherKey = (await newKeys()).privateKey;
  sign = await openSigner(keys.privateKey, () => NOW_MS);
});

async function newKeys() {
  const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const { x = '' } = await exportJWK(pair.publicKey);
  return { privateKey: await exportJWK(pair.privateKey), publicKey: x };
}

const WRITE: Request = {
  pagetree: 1,
  operation: 'write_page',
  input: { wiki: 'main', path: 'Guides/New', content: 'text\n', request_id: 'request-1' },
  caller,
};
const READ: Request = { ...WRITE, operation: 'read_page', input: { wiki: 'main', path: 'Guides/Start' } };

async function openFunction() {
  const directory = mkdtempSync(join(tmpdir(), 'admission-'));
  const host = { backend: 'lambda', versions: {}, problems: [] };
  const opened = await openWiki({ directory, wiki: null, placement: 'shared', host });
  onTestFinished(async () => {
    await opened.close();
    rmSync(directory, { recursive: true });
  });
  const { wiki } = opened;
  for (const path of ['Guides/Start', 'Private/Plan'])
    await callOperation(wiki, 'write_page', { wiki: 'main', path, content: `of ${path}\n` }, { caller });
  async function ask(event: unknown, admit = admitAll(wiki)) {
    const lines: Record<string, unknown>[] = [];
    const handle = createHandler({
      admit,
      functionName: 'people:1',
      tracer: untraced,
      traceHeader: () => undefined,
      log: (line) => lines.push(JSON.parse(line)),
      init: {},
      clock: { now: Date.now, monotonic: () => performance.now() },
    });
    const reply = await handle(JSON.parse(JSON.stringify(event)), {
      awsRequestId: 'invocation-1',
      getRemainingTimeInMillis: () => 30_000,
    });
    return { reply, line: lines[0] ?? {} };
  }
  const admit = await admitGranted(wiki, { key: keys.publicKey, defaultWiki: null, now: () => NOW_MS });
  return { wiki, ask: (event: unknown) => ask(event, admit), askDirectly: (event: unknown) => ask(event) };
}

test('a call with a grant has the rights in it, and the log says whose they are', async () => {
  const { ask, wiki } = await openFunction();
  const { reply, line } = await ask(await sign(WRITE, ADA, RIGHTS));
  expect(reply).toMatchObject({ ok: true, output: { commit: expect.any(String) } });
  expect(line).toMatchObject({ person: ADA, outcome: 'ok', level: 'info' });
  expect(await entriesOf(wiki, { path: 'Guides/New' })).toMatchObject([
    { author: 'Ada <ada@example.org>', agent: 'claude/1' },
  ]);
  const outside = { ...READ, input: { wiki: 'main', path: 'Private/Plan' } };
  expect((await ask(await sign(outside, ADA, RIGHTS))).reply).toMatchObject({ error: { code: 'not_found' } });
});

test('the request id of one person is not that of another, also where they see different folders', async () => {
  const { ask, askDirectly, wiki } = await openFunction();
  const append = (more: object = {}): Request => ({
    ...{ ...WRITE, operation: 'append_to_page' },
    input: { wiki: 'main', path: 'Guides/Start', content: 'a line\n', request_id: 'request-1', ...more },
  });
  const grace = { ...ADA, subject: 'grace' };
  const answers = [];
  for (const person of [ADA, grace, ADA, grace])
    answers.push((await ask(await sign(append(), person, RIGHTS))).reply);
  // Who needs no grant has the ids of nobody.
  answers.push((await askDirectly(append())).reply);
  const commits = answers.map((reply) => (reply as { output: { commit: string } }).output.commit);
  expect([new Set(commits).size, commits[2], commits[3]]).toEqual([3, commits[0], commits[1]]);
  expect(await entriesOf(wiki, { path: 'Guides/Start' })).toHaveLength(4);

  await ask(await sign(append({ path: 'Private/Plan', request_id: 'hidden-1' }), grace, ALL_RIGHTS));
  const guessed = await sign(append({ request_id: 'hidden-1' }), ADA, RIGHTS);
  expect((await ask(guessed)).reply).toMatchObject({ ok: true });
  const other = await sign(append({ content: 'other' }), ADA, RIGHTS);
  const happened = 'The request id request-1 was used before, for another request.';
  expect((await ask(other)).reply).toMatchObject({ error: { code: 'invalid_input', text: { happened } } });
});

/** Each makes of an honest request one that claims more. */
const FORGED: Record<string, (make: SignGrant) => Promise<unknown>> = {
  'no grant': async () => WRITE,
  'a grant that is no text': async () => ({ ...WRITE, grant: { rights: [] } }),
  'an empty grant': async () => ({ ...WRITE, grant: '' }),
  'rights that were written in': async (make) => {
    const { grant, ...request } = await make(WRITE, ADA, RIGHTS);
    const [head, body = '', proof] = grant.split('.');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
    claims.rights = [['*', [''], [''], true]];
    const changed = Buffer.from(JSON.stringify(claims)).toString('base64url');
    return { ...request, grant: [head, changed, proof].join('.') };
  },
  'no signature': async (make) => {
    const { grant, ...request } = await make(WRITE, ADA, ALL_RIGHTS);
    const head = Buffer.from(JSON.stringify({ alg: 'none', typ: 'pagetree-grant+jwt' })).toString(
      'base64url',
    );
    return { ...request, grant: `${head}.${grant.split('.')[1]}.` };
  },
  'the key of somebody else': async () => (await openSigner(otherKey, () => NOW_MS))(WRITE, ADA, ALL_RIGHTS),
  'the public key as a password': async (make) => {
    const { grant, ...request } = await make(WRITE, ADA, ALL_RIGHTS);
    const claims = JSON.parse(Buffer.from(grant.split('.')[1] ?? '', 'base64url').toString());
    const signed = new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'pagetree-grant+jwt' });
    return { ...request, grant: await signed.sign(Buffer.from(keys.publicKey.padEnd(64, '0'))) };
  },
  'a token of the same key for something else': async (make) => {
    const { grant, ...request } = await make(WRITE, ADA, ALL_RIGHTS);
    const claims = JSON.parse(Buffer.from(grant.split('.')[1] ?? '', 'base64url').toString());
    const signed = new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' });
    return { ...request, grant: await signed.sign(keys.privateKey) };
  },
  'a grant of two minutes ago': async () =>
    (await openSigner(keys.privateKey, () => NOW_MS - 120_000))(WRITE, ADA, ALL_RIGHTS),
  'a grant of tomorrow': async () =>
    (await openSigner(keys.privateKey, () => NOW_MS + 86_400_000))(WRITE, ADA, ALL_RIGHTS),
  'a grant that ends in a year': async (make) => {
    const { grant, ...request } = await make(WRITE, ADA, ALL_RIGHTS);
    const claims = JSON.parse(Buffer.from(grant.split('.')[1] ?? '', 'base64url').toString());
    const old = { ...claims, iat: claims.iat - 300, exp: claims.exp + 31_536_000 };
    const signed = new SignJWT(old).setProtectedHeader({ alg: 'EdDSA', typ: 'pagetree-grant+jwt' });
    return { ...request, grant: await signed.sign(keys.privateKey) };
  },
  'another operation': (make) => changed(make, { operation: 'delete_page' }),
  'another page': (make) =>
    changed(make, { input: { wiki: 'main', path: 'Private/New', content: 'text\n' } }),
  'another text': (make) => changed(make, { input: { ...(WRITE.input as object), content: 'other\n' } }),
  'a field more': (make) => changed(make, { input: { ...(WRITE.input as object), message: 'More' } }),
  'another author': (make) =>
    changed(make, { caller: { ...caller, author: { name: 'Grace', email: 'grace@example.org' } } }),
  'another client': (make) => changed(make, { caller: { ...caller, agent: null } }),
  'another scope': (make) => changed(make, { scope: { read: [''], write: [''] } }),
  'other bytes': (make) =>
    changed(make, { content: { upload: 'a'.repeat(32), bytes: 3, sha256: 'b'.repeat(64) } }),
  'an unknown field': (make) => changed(make, { rights: [['*', [''], [''], true]] }),
};

async function changed(make: SignGrant, change: object): Promise<unknown> {
  return { ...(await make(WRITE, ADA, RIGHTS)), ...change };
}

test.each(Object.keys(FORGED))('%s is refused, and nothing is changed', async (name) => {
  const { ask, wiki } = await openFunction();
  const before = await headOf(wiki);
  const { reply, line } = await ask(await FORGED[name]?.(sign));
  // Its grant is good: it is the request that does not fit the contract.
  if (name === 'an unknown field') expect(reply).toMatchObject({ error: { code: 'invalid_input' } });
  else {
    expect(reply).toMatchObject({ ok: false, error: { code: 'forbidden' } });
    expect(line).toMatchObject({ level: 'error', refused: expect.any(String), outcome: 'forbidden' });
  }
  expect(await headOf(wiki)).toBe(before);
});

test('what a person uploads is theirs alone, and nobody uploads who may not write', async () => {
  const { ask } = await openFunction();
  const upload = 'a'.repeat(32);
  const request = (input: object): Request => ({
    ...WRITE,
    operation: 'upload_part',
    input: { wiki: 'main', upload, ...input },
  });
  const part = request({ offset: 0, total: 3, content: 'YWJj' });
  const held = { output: { parts: [{ offset: 0, bytes: 3 }] } };
  expect((await ask(await sign(part, ADA, RIGHTS))).reply).toMatchObject(held);
  const namesake = { ...ADA, subject: 'ada|2' };
  expect((await ask(await sign(request({}), namesake, RIGHTS))).reply).toMatchObject({
    output: { parts: [] },
  });
  await ask(await sign(request({ drop: true }), namesake, RIGHTS));
  expect((await ask(await sign(request({}), ADA, RIGHTS))).reply).toMatchObject(held);

  const reader: Rights = { wikis: new Map([['main', { ...whole, write: [] }]]) };
  const refused = (await ask(await sign(part, ADA, reader))).reply;
  expect(refused).toMatchObject({ error: { code: 'forbidden' } });
  const everywhere: Rights = { wikis: new Map([['*', whole]]) };
  const toNowhere = request({ wiki: 'not-there', offset: 0, total: 3, content: 'YWJj' });
  expect((await ask(await sign(toNowhere, ADA, everywhere))).reply).toMatchObject({
    error: { code: 'not_found' },
  });
  expect((await ask(await sign(toNowhere, ADA, ALL_RIGHTS))).reply).toMatchObject(held);
});

test.each([null, 1, 'text', [], {}, { grant: 'x' }])('%j in place of a request is refused', async (event) => {
  const { ask } = await openFunction();
  expect((await ask(event)).reply).toMatchObject({ ok: false, error: { code: 'forbidden' } });
});

test('a function that asks for no grants refuses one, so that nobody takes it for the other', async () => {
  const { askDirectly } = await openFunction();
  expect((await askDirectly(WRITE)).reply).toMatchObject({ ok: true });
  const { reply } = await askDirectly(await sign(READ, ADA, RIGHTS));
  expect(reply).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
});

test.each([
  [-6, 'refused'],
  [-4, 'admitted'],
  [64, 'admitted'],
  [66, 'refused'],
])('a grant is %i s old, as this clock has it: %s', async (seconds, kind) => {
  const now = () => NOW_MS + seconds * 1_000;
  const admit = await admitGranted({} as Wiki, { key: keys.publicKey, defaultWiki: null, now });
  expect(await admit(await sign(READ, ADA, RIGHTS))).toMatchObject({ kind });
});

test('a log line quotes little of a grant without proof', async () => {
  const { ask } = await openFunction();
  const { grant, ...request } = await sign(READ, ADA, RIGHTS);
  const head = { alg: 'EdDSA', typ: 'pagetree-grant+jwt', crit: ['x'.repeat(100_000)] };
  const forged = grant.replace(/^[^.]+/, Buffer.from(JSON.stringify(head)).toString('base64url'));
  const { reply, line } = await ask({ ...request, grant: forged });
  expect(reply).toMatchObject({ error: { code: 'forbidden' } });
  expect(JSON.stringify(line).length).toBeLessThan(1_500);
});

test('a grant fits its request after it has travelled, whatever the input is', async () => {
  const admit = await admitGranted({} as Wiki, { key: keys.publicKey, defaultWiki: null, now: () => NOW_MS });
  await fc.assert(
    fc.asyncProperty(fc.anything({ withNullPrototype: true }), async (input) => {
      const signed = await sign({ ...WRITE, input }, ADA, RIGHTS);
      expect(await admit(JSON.parse(JSON.stringify(signed)))).toMatchObject({
        kind: 'admitted',
        person: ADA,
      });
    }),
  );
});

test('rights travel as they are', async () => {
  const { wiki } = await openFunction();
  const admit = await admitGranted(wiki, { key: keys.publicKey, defaultWiki: null, now: () => NOW_MS });
  for (const rights of [RIGHTS, ALL_RIGHTS, { wikis: new Map() }]) {
    const admitted = await admit(await sign(READ, ADA, rights));
    if (admitted.kind === 'refused') throw admitted.error;
    const here = limitToRights(wiki, rights, { person: ADA, defaultWiki: null, decided: () => {} });
    const [one, other] = await Promise.allSettled(
      [here, admitted.wiki].map((each) => callOperation(each, 'wiki_status', { wiki: 'main' }, { caller })),
    );
    expect(other).toEqual(one);
  }
});

async function headOf(wiki: Wiki): Promise<string | undefined> {
  return (await entriesOf(wiki, {}))[0]?.commit;
}

async function entriesOf(wiki: Wiki, input: object) {
  const history = await callOperation(wiki, 'get_history', { wiki: 'main', ...input }, { caller });
  return (history as Output<'get_history'>).entries;
}
