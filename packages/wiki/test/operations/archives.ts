import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { type ArchivedFile, readArchive, writeArchive } from '../../src/core/transfer/archive.ts';
import { emptyBlocks } from '../git-input/bundles.ts';
import { bareRepository, git, gitBytes, temporaryDirectory } from '../native-git.ts';
import { commitFiles } from './local-backends.ts';
import type { Files } from './test-wiki.ts';

/** A zip of these files, as base64. */
export async function zipOf(files: Files): Promise<string> {
  async function* each(): AsyncIterable<ArchivedFile> {
    for (const [path, content] of Object.entries(files)) yield { path, content: Buffer.from(content) };
  }
  return Buffer.from(await writeArchive(each(), { date: new Date(0) })).toString('base64');
}

export async function filesOf(zip: string): Promise<Record<string, Buffer>> {
  const files: Record<string, Buffer> = {};
  for (const entry of await readArchive(Buffer.from(zip, 'base64'))) {
    files[entry.path] = Buffer.from(await entry.unpack());
  }
  return files;
}

/** A zip whose one entry is a symbolic link. */
export function zipWithLink(name: string, target: string): string {
  return rawZip([{ name, content: Buffer.from(target), says: target.length, mode: 0o120777 }]);
}

/** A zip of small entries which say that they hold `bytes` each. */
export function zipThatSays(bytes: number, entries = 1, extension = 'md'): string {
  return rawZip(
    Array.from({ length: entries }, (_, at) => ({
      name: `${at}.${extension}`,
      content: Buffer.from('small'),
      says: bytes,
      mode: 0o100644,
    })),
  );
}

/** A zip whose one entry says that it was packed by this method: 9 is the "deflate64" of large zips of Windows. */
export function zipPackedBy(method: number): string {
  return rawZip([{ name: 'Note.md', content: Buffer.from('small'), says: 5, mode: 0o100644, method }]);
}

/** A zip of small files under any names. */
export function zipOfNames(names: readonly string[]): Buffer {
  const content = Buffer.from('small');
  return Buffer.from(
    rawZip(names.map((name) => ({ name, content, says: content.length, mode: 0o100644 }))),
    'base64',
  );
}

/** A zip of files that are marked as compressed, and are not: as large as they are, and made in no time. */
export function zipOfStoredBlocks(files: readonly { name: string; content: Buffer }[]): Buffer {
  const entries = files.map(({ name, content }) => ({
    name,
    content: deflateRawSync(content, { level: 0 }),
    says: content.length,
    mode: 0o100644,
    method: 8,
    checksum: crc32(content),
  }));
  return rawZipBytes(entries);
}

/** A zip of one small file, before whose content come blocks of nothing, 5 bytes each. */
export function zipOfEmptyBlocks(count: number, text = 'small'): Buffer {
  const content = Buffer.from(text);
  const compressed = Buffer.concat([emptyBlocks(count), deflateRawSync(content)]);
  const entry = { says: content.length, mode: 0o100644, method: 8, checksum: crc32(content) };
  return rawZipBytes([{ name: 'a.md', content: compressed, ...entry }]);
}

/** A zip of small files, each with extra fields of this many bytes, in parts of `partBytes`. */
export function zipOfExtraFields(files: number, bytes: number, partBytes = 4): Buffer {
  const header = Buffer.from([9, 9, 0, 0]);
  header.writeUInt16LE(partBytes - header.length, 2);
  const part = Buffer.concat([header, Buffer.alloc(partBytes - header.length)]);
  const extra = Buffer.alloc(bytes, part);
  const content = Buffer.from('small');
  const entryOf = (at: number) => ({ name: `${at}.md`, content, says: 5, mode: 0o100644, extra });
  return rawZipBytes(Array.from({ length: files }, (_, at) => entryOf(at)));
}

/** A zip of small files, each with a comment of this many bytes. */
export function zipOfComments(files: number, bytes: number): Buffer {
  const content = Buffer.from('small');
  const entryOf = (at: number) => ({
    ...{ name: `${at}.md`, content, says: 5, mode: 0o100644 },
    comment: Buffer.alloc(bytes, 'a'),
  });
  return rawZipBytes(Array.from({ length: files }, (_, at) => entryOf(at)));
}

interface RawEntry {
  name: string;
  content: Buffer;
  says: number;
  mode: number;
  method?: number;
  checksum?: number;
  extra?: Buffer;
  comment?: Buffer;
}

/** Stored entries as the format has them: no writer of zips would write these. */
function rawZip(entries: readonly RawEntry[]): string {
  return rawZipBytes(entries).toString('base64');
}

function rawZipBytes(entries: readonly RawEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, says, mode, method = 0, checksum = crc32(content), ...more } of entries) {
    const { extra = Buffer.alloc(0), comment = Buffer.alloc(0) } = more;
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(checksum, 10);
    common.writeUInt32LE(content.length, 14);
    common.writeUInt32LE(says, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), content]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((mode << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    const madeByUnix = Buffer.from([20, 3]);
    const inDirectory = Buffer.from(common);
    inDirectory.writeUInt16LE(extra.length, 24);
    rest.writeUInt16LE(comment.length, 0);
    const record = [Buffer.from('PK\x01\x02'), madeByUnix, inDirectory, rest, Buffer.from(name)];
    directory.push(Buffer.concat([...record, extra, comment]));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, central, Buffer.from('PK\x05\x06'), end]);
}

/** A repository of native git with these files and some commits after, and bundles of all and of its newest part. */
export function bundleOf(files: Files, commits: number) {
  const repository = bareRepository();
  commitFiles(repository, files);
  for (let commit = 0; commit < commits; commit += 1) {
    const log = `line ${commit}\n`.repeat(commit + 1);
    const message = `commit refs/heads/main\ncommitter Someone <s@example.org> ${1_700_000_100 + commit} +0200\ndata 5\nMore\nfrom refs/heads/main^0\n`;
    const text = `${message}M 100644 inline Log.md\ndata ${log.length}\n${log}\n`;
    git(repository, ['fast-import', '--quiet'], Buffer.from(text));
  }
  const bundle = (...revisions: string[]) =>
    gitBytes(repository, ['bundle', 'create', '--quiet', '-', ...revisions]).toString('base64');
  return {
    repository,
    tip: git(repository, ['rev-parse', 'main']),
    content: bundle('HEAD', 'main'),
    newer: bundle('main', '^main~1'),
  };
}

/** A bundle as a file, for native git. */
export async function bundleFile(content: string): Promise<string> {
  const file = join(temporaryDirectory(), 'wiki.bundle');
  await writeFile(file, content, 'base64');
  return file;
}
