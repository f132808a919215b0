import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git } from '../../../test/native-git.ts';
import { nativeWiki } from '../../../test/storage/native-wiki.ts';
import { bundleHeader, parseBundle } from './bundle.ts';

const TIP = 'a'.repeat(40);

test('the refs and the pack of a bundle of native git are read, and git reads a header of ours', () => {
  const directory = nativeWiki(5);
  git(directory, ['branch', 'bücher/neu', 'main~1']);
  const path = join(directory, 'all.bundle');
  git(directory, ['bundle', 'create', '-q', path, '--all']);
  const bytes = readFileSync(path);
  const packAt = bytes.indexOf('\n\nPACK') + 2;
  const expected = git(directory, ['bundle', 'list-heads', path]).trim().split('\n');
  for (const signature of ['# v2 git bundle\n', '# v3 git bundle\n@object-format=sha1\n']) {
    const header = Buffer.from(`${signature}${expected.join('\n')}\n\n`);
    const parsed = parseBundle(Buffer.concat([header, bytes.subarray(packAt)]), header.length);
    if ('problem' in parsed) throw new Error(parsed.problem);
    expect(parsed.refs.map(({ oid, name }) => `${oid} ${name}`)).toEqual(expected);
    expect(Buffer.from(parsed.packBytes).equals(bytes.subarray(packAt))).toBe(true);
  }
  const refs = expected.map((line) => ({ oid: line.slice(0, 40), name: line.slice(41) }));
  expect(refs.map(({ name }) => name)).toContain('refs/heads/bücher/neu');
  expect(Buffer.from(bundleHeader(refs)).equals(bytes.subarray(0, packAt))).toBe(true);
});

test('a bundle that lacks objects, or that means something unknown, is refused with its reason', () => {
  const of = (header: string, most = 1000) => parseBundle(Buffer.from(`${header}\n\nPACK`), most);
  const refs = `${TIP} refs/heads/main`;
  expect(of(`# v2 git bundle\n${refs}`)).toMatchObject({ refs: [{ oid: TIP, name: 'refs/heads/main' }] });
  for (const [header, problem] of [
    ['', 'no bundle'],
    [refs, 'no bundle'],
    [`# v4 git bundle\n${refs}`, 'no bundle'],
    [`x# v2 git bundle\n${refs}`, 'no bundle'],
    [`# v2 git bundle, or so\n${refs}`, 'no bundle'],
    [`# v3 git bundle\n@object-format=sha256\n${refs}`, 'SHA-256'],
    [`# v3 git bundle\n@filter=blob:none\n${refs}`, 'filtered'],
    [`# v3 git bundle\n@object-format=sha1\n@filter=blob:none\n${refs}`, 'filtered'],
    [`# v2 git bundle\n-${TIP} a commit\n${refs}`, 'incomplete'],
  ] as const) {
    expect(of(header), header).toEqual({ problem });
  }
  expect(of(`# v3 git bundle\n@object-format=sha1\n@new=1\n${refs}`)).toEqual({
    problem: 'unknown capability',
    capability: '@new=1',
  });
  expect(parseBundle(Buffer.from(`# v2 git bundle\n${refs}\nPACK`), 1000)).toEqual({ problem: 'no bundle' });
});

test('a header at its bound is read, a longer one is refused, and lines that are no refs are refused', () => {
  const header = `# v2 git bundle\n${TIP} HEAD\n${TIP.slice(1)} short\n${TIP}\nx${TIP} HEAD\n${TIP} `;
  const bytes = Buffer.from(`${header}\n\nPACK`);
  expect(parseBundle(bytes, header.length)).toMatchObject({ refs: [{ oid: TIP, name: 'HEAD' }] });
  expect(parseBundle(bytes, header.length - 1)).toEqual({ problem: 'too many refs' });
});
