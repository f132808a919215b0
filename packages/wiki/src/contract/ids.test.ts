import { expect, test } from 'vitest';
import * as z from 'zod';
import { noise } from '../../../../labs/noise.ts';
import { commit, isCommitId, limit } from './fields.ts';
import { newRequestId, oid, requestId, wikiName } from './ids.ts';
import { limits } from './limits.ts';
import { contentReference } from './uploads/content-reference.ts';

const SHA = '0123456789abcdef'.repeat(4);
const upload = SHA.slice(0, 32);

test.each<[string, z.ZodType, unknown[], unknown[]]>([
  [
    'oid',
    oid,
    [SHA.slice(0, 40)],
    ['', SHA.slice(0, 39), SHA.slice(0, 41), 'A'.repeat(40), `${SHA.slice(0, 40)}\n`],
  ],
  [
    'wikiName',
    wikiName,
    ['a', '-', 'a-z09', 'a'.repeat(64)],
    ['', 'a'.repeat(65), 'A', 'a.b', '../a', 'a\n', 'é'],
  ],
  [
    'requestId',
    requestId,
    ['!', '~', 'a'.repeat(128)],
    ['', 'a'.repeat(129), 'a b', '\u007f', 'a\n', 'é', '\ta'],
  ],
  [
    'commit',
    commit,
    ['0000', '2026', SHA.slice(0, 40)],
    ['', 'abc', 'ABCD', SHA.slice(0, 41), 'HEAD', ' abcd', 'abcd\n'],
  ],
  ['limit', limit, [1, limits.listMost], [0, limits.listMost + 1, 1.5, '1']],
  [
    'contentReference',
    contentReference(),
    [{ upload, bytes: 1, sha256: SHA }],
    [
      { upload: `${upload}0`, bytes: 1, sha256: SHA },
      { upload: upload.slice(1), bytes: 1, sha256: SHA },
      { upload: `../${upload.slice(3)}`, bytes: 1, sha256: SHA },
      { upload, bytes: 0, sha256: SHA },
      { upload, bytes: 1.5, sha256: SHA },
      { upload, bytes: 1, sha256: `${SHA}0` },
      { upload, bytes: 1, sha256: SHA.slice(1) },
      { upload, bytes: 1, sha256: SHA, more: true },
    ],
  ],
])(
  '%s takes what it describes, and nothing longer, shorter or with other signs',
  (_, schema, taken, refused) => {
    for (const value of taken) expect(schema.parse(value)).toEqual(value);
    for (const value of refused) expect(schema.safeParse(value).success, JSON.stringify(value)).toBe(false);
  },
);

test.each([
  ['abcd', true],
  ['0123456789', true],
  ['202', false],
  ['2026', false],
  ['20261', true],
  ['12026', true],
  ['202a', true],
  ['main', false],
])('%s is a commit id: %s', (text, is) => {
  expect(isCommitId(text)).toBe(is);
});

test('an id that does not fit is described', () => {
  const messages = [oid, wikiName, requestId, commit].map(
    (schema) => schema.safeParse('\n').error?.issues[0]?.message,
  );
  const { error } = contentReference().safeParse({ upload: '', bytes: 1, sha256: '' });
  expect([...messages, ...(error?.issues ?? []).map((issue) => issue.message)]).toEqual([
    'must be 40 hexadecimal digits',
    'must be 1 to 64 of a-z, 0-9 and "-"',
    'must be 1 to 128 printable ASCII characters without spaces',
    'must be a commit id, in full or its first 4 or more digits',
    'must be 32 hexadecimal digits',
    'must be 64 hexadecimal digits',
  ]);
});

/** RFC 9562, appendix A.6, has the first of these. */
test.each([
  [0x017f22e279b0, 'ccc318c4dc0c0c07398f', '017f22e2-79b0-7cc3-98c4-dc0c0c07398f'],
  [0, '00000000000000000000', '00000000-0000-7000-8000-000000000000'],
  [2 ** 48 - 1, 'ffffffffffffffffffff', 'ffffffff-ffff-7fff-bfff-ffffffffffff'],
  [2 ** 32, '0f0f0f0f0f0f0f0f0f0f', '00010000-0000-7f0f-8f0f-0f0f0f0f0f0f'],
])('the request id of %d is a UUIDv7 of the time and the random bytes', (now, random, id) => {
  expect(newRequestId(now, Buffer.from(random, 'hex'))).toBe(id);
  expect(requestId.parse(id)).toBe(id);
});

test('a request id takes only the first ten of more random bytes', () => {
  const random = noise(16);
  expect(newRequestId(1, random)).toBe(newRequestId(1, random.subarray(0, 10)));
  expect(z.uuidv7().safeParse(newRequestId(1, random)).success).toBe(true);
});
