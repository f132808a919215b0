import { expect, test } from 'vitest';
import { dispatch } from '../dispatch.ts';
import { type Call, wikiOf } from '../wiki.ts';

const caller = { author: { name: 'Ada', email: 'ada@example.org' }, agent: null };
const content = { upload: 'a'.repeat(32), bytes: 3, sha256: 'b'.repeat(64) };
const { upload, ...whole } = content;

/** The calls of a wiki that gives these bytes of an upload, and the reply to a request. */
async function answered(input: unknown, given: Uint8Array | null) {
  const calls: { name: string; input: unknown; call: Call }[] = [];
  const wiki = wikiOf(async (name, input, call) => {
    calls.push({ name, input, call });
    if (name !== 'upload_part') throw new Error('Nothing else is held here.');
    if (given !== null) call.takeBytes?.(given);
    return { parts: [] };
  });
  const scope = { read: ['a/'], write: ['a/'] };
  const errors: unknown[] = [];
  const onError = ({ cause }: Error) => errors.push(cause);
  const request = { pagetree: 1, operation: 'put_attachment', input, caller, scope, content };
  const reply = await dispatch(wiki, request, { onError });
  return { reply, calls, errors, scope };
}

test('the bytes of a call are asked for in its wiki, for its caller and in its scope', async () => {
  const bytes = Buffer.from('abc');
  const { calls, scope } = await answered({ wiki: 'team', path: 'a/b.bin' }, bytes);
  expect(calls).toHaveLength(2);
  expect(calls[0]).toMatchObject({ name: 'upload_part', call: { caller, scope } });
  expect(calls[0]?.input).toStrictEqual({ wiki: 'team', upload, whole });
  expect(calls[1]).toMatchObject({ name: 'put_attachment', call: { caller, scope, bytes } });
});

test.each([
  ['names no wiki', { path: 'a/b.bin' }],
  ['names it by what is no name', { wiki: 3, path: 'a/b.bin' }],
  ['is no object', null],
])('an input that %s names none for its bytes', async (_name, input) => {
  const { calls } = await answered(input, Buffer.from('abc'));
  expect(calls[0]?.input).toStrictEqual({ upload, whole });
});

test('a wiki that gives no bytes is a defect, and the call is not made', async () => {
  const { reply, calls, errors } = await answered({ path: 'a/b.bin' }, null);
  expect(reply).toMatchObject({ ok: false, error: { code: 'internal' } });
  expect(errors).toMatchObject([{ message: 'The wiki gave no bytes of the upload.' }]);
  expect(calls).toHaveLength(1);
});
