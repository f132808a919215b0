import { createPrivateKey, createPublicKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { parseConfiguration } from '../../src/configuration/configuration.ts';
import { parameterNames } from '../../src/web/parameter-names.ts';
import { deployedGrantKey, prepareWeb } from '../../src/web/prepare-web.ts';
import { deleteParameters, ensureKeys } from '../../src/web/web-keys.ts';
import { type ParameterStore, startParameterStore } from './parameter-store.ts';
import { WEB } from './web-settings.ts';

const names = parameterNames('Pagetree');

/** The public key that belongs to the stored private one. */
function fitting({ stored }: ParameterStore): string | undefined {
  const { grants } = JSON.parse(stored.get(names.keys)?.Value ?? '');
  return createPublicKey(createPrivateKey({ key: grants, format: 'jwk' })).export({ format: 'jwk' }).x;
}

test('keys are made once, the private one first and encrypted, and never again', async () => {
  const store = await startParameterStore();
  const made = await ensureKeys(store.client, names);
  expect(store.puts).toEqual([names.keys, names.grantKey]);
  expect(store.stored.get(names.keys)?.Type).toBe('SecureString');
  expect(store.stored.get(names.grantKey)).toEqual({ Type: 'String', Value: fitting(store) });
  expect(made).toEqual({ kind: 'keys', grantKey: fitting(store) });
  const { session, grants } = JSON.parse(store.stored.get(names.keys)?.Value ?? '');
  expect(Buffer.from(session, 'base64url')).toHaveLength(32);
  expect(Object.keys(grants).toSorted()).toEqual(['crv', 'd', 'kty', 'x']);
  const before = new Map(store.stored);
  expect(await ensureKeys(store.client, names)).toEqual(made);
  expect(store.stored).toEqual(before);
  expect(store.puts).toHaveLength(2);
});

test('each stack has keys of its own', async () => {
  const store = await startParameterStore();
  const one = await ensureKeys(store.client, names);
  expect(await ensureKeys(store.client, parameterNames('Other'))).not.toEqual(one);
  expect(store.stored.size).toBe(4);
});

test('deployments at once end with the same keys, which fit', async () => {
  const store = await startParameterStore();
  const count = 5;
  // Each has seen that there are none before the first one makes some.
  const { promise: allAsked, resolve } = Promise.withResolvers<void>();
  let asked = 0;
  store.before = (operation) => {
    if (operation === 'GetParameter') {
      asked += 1;
      // The last answer is made first.
      if (asked === count) setImmediate(resolve);
    }
    return operation === 'PutParameter' ? allAsked : undefined;
  };
  const made = await Promise.all(Array.from({ length: count }, () => ensureKeys(store.client, names)));
  expect(store.puts.filter((name) => name === names.keys)).toHaveLength(count);
  for (const each of made) expect(each).toEqual({ kind: 'keys', grantKey: fitting(store) });
  expect(store.stored.get(names.grantKey)?.Value).toBe(fitting(store));
});

test('a deployment that was interrupted after the private key is finished by the next one', async () => {
  const store = await startParameterStore();
  await ensureKeys(store.client, names);
  store.stored.delete(names.grantKey);
  expect(await ensureKeys(store.client, names)).toEqual({ kind: 'keys', grantKey: fitting(store) });
  expect(store.stored.get(names.grantKey)?.Value).toBe(fitting(store));
});

test('keys that do not fit, and what is no key, are named and left as they are', async () => {
  const store = await startParameterStore();
  await ensureKeys(store.client, names);
  store.stored.delete(names.keys);
  expect(await ensureKeys(store.client, names)).toEqual({
    kind: 'mistake',
    sentence: expect.stringContaining(`Delete ${names.grantKey}, then deploy again`),
  });
  for (const value of ['', '{}', '{"session":"x","grants":{}}']) {
    store.stored.set(names.keys, { Type: 'SecureString', Value: value });
    const before = new Map(store.stored);
    expect(await ensureKeys(store.client, names)).toEqual({
      kind: 'mistake',
      sentence: expect.stringContaining(`Delete it and ${names.grantKey}`),
    });
    expect(store.stored).toEqual(before);
  }
});

test('pages at an issuer of their own need the secret once, which a later one replaces', async () => {
  const store = await startParameterStore();
  const configuration = parseConfiguration({ web: WEB.ownIssuer });
  const prepare = (secret: string | null) => prepareWeb(configuration, store.client, secret);
  expect(await prepare(null)).toEqual({
    kind: 'mistake',
    sentence: expect.stringContaining('deploy with --client-secret-file FILE'),
  });
  expect(store.stored.size).toBe(0);
  const ready = await prepare('one');
  expect(ready).toEqual({ kind: 'ready', grantKey: fitting(store) });
  expect(store.stored.get(names.clientSecret)).toEqual({ Type: 'SecureString', Value: 'one' });
  expect(await prepare(null)).toEqual(ready);
  expect(await prepare('two')).toEqual(ready);
  expect(store.stored.get(names.clientSecret)?.Value).toBe('two');
  expect(await deployedGrantKey(configuration, store.client)).toBe(fitting(store));
});

test('nothing is made without the pages, nor a secret with a user pool', async () => {
  const store = await startParameterStore();
  const withPool = parseConfiguration({ web: WEB.cognito });
  for (const configuration of [parseConfiguration({}), withPool])
    expect(await prepareWeb(configuration, store.client, 'secret')).toMatchObject({ kind: 'mistake' });
  expect(await prepareWeb(parseConfiguration({}), store.client, null)).toEqual({
    kind: 'ready',
    grantKey: null,
  });
  expect(await deployedGrantKey(withPool, store.client)).toBeNull();
  expect(store.puts).toEqual([]);
  expect(await prepareWeb(withPool, store.client, null)).toMatchObject({ kind: 'ready' });
  expect([...store.stored.keys()]).toEqual([names.keys, names.grantKey]);
});

test('all of them are deleted, and those of other stacks are not', async () => {
  const store = await startParameterStore();
  await prepareWeb(parseConfiguration({ web: WEB.ownIssuer }), store.client, 'secret');
  await ensureKeys(store.client, parameterNames('Other'));
  await deleteParameters(store.client, names);
  await deleteParameters(store.client, names);
  expect([...store.stored.keys()]).toEqual(['/pagetree/Other/web/keys', '/pagetree/Other/web/grant-key']);
});
