import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { git, temporaryDirectory } from '../../../../test/native-git.ts';
import { zipOf } from '../../../../test/operations/archives.ts';
import { parseInput } from '../../../contract/parse-input.ts';
import { openWiki } from '../../../open-wiki.ts';

const caller = { author: { name: 'Ada', email: 'ada@example.org' }, agent: null };
const PART = { upload: 'a'.repeat(32), offset: 0, total: 3, content: 'YWJj' };

interface Options {
  placement?: 'local' | 'shared';
  readOnly?: boolean;
  uploadBytes?: number;
  unpackedBytes?: number;
}

async function openIn({ placement = 'local', readOnly = false, ...limits }: Options) {
  const directory = temporaryDirectory();
  git(directory, ['init', '--quiet', '--bare', '--initial-branch=main', 'test.git']);
  const host = { backend: 'local', versions: {}, problems: [], ...limits };
  const { wiki, close } = await openWiki({ directory, wiki: 'test', placement, readOnly, host });
  onTestFinished(close);
  const upload = (input: object) => wiki.upload_part(parseInput('upload_part', input), { caller });
  return { wiki, directory, upload, isAnythingHeld: () => existsSync(join(directory, '.uploads')) };
}

test('a wiki that is served for reading only holds nothing', async () => {
  const { upload, isAnythingHeld } = await openIn({ readOnly: true });
  for (const input of [PART, { upload: PART.upload }, { upload: PART.upload, drop: true }]) {
    await expect(upload(input)).rejects.toMatchObject({ code: 'forbidden' });
  }
  expect(isAnythingHeld()).toBe(false);
});

test('a host with less memory refuses a longer upload at its first part', async () => {
  const { upload, isAnythingHeld } = await openIn({ uploadBytes: 2 });
  await expect(upload(PART)).rejects.toMatchObject({ code: 'too_large', data: { bytes: 3, most: 2 } });
  expect(isAnythingHeld()).toBe(false);
  expect(await upload({ ...PART, total: 2, content: 'YWI=' })).toEqual({ parts: [{ offset: 0, bytes: 2 }] });
});

test('such a host also refuses a zip that would be too large once unpacked', async () => {
  const { wiki } = await openIn({ unpackedBytes: 2 });
  const bring = async (text: string) => {
    const bytes = Buffer.from(await zipOf({ 'A.md': text }), 'base64');
    return wiki.import_wiki(parseInput('import_wiki', {}), { caller, bytes });
  };
  await expect(bring('abc')).rejects.toMatchObject({ code: 'too_large' });
  expect(await bring('ab')).toMatchObject({ pages: 1 });
});

test('no other user of the machine may read what is held', async () => {
  const { upload, directory } = await openIn({ placement: 'shared' });
  await upload(PART);
  const held = join(directory, '.uploads');
  const paths = [
    held,
    ...readdirSync(held, { recursive: true, encoding: 'utf8' }).map((name) => join(held, name)),
  ];
  expect(paths).toHaveLength(3);
  for (const path of paths) expect(statSync(path).mode & 0o077).toBe(0);
});
