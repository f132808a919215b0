import { CHECKSUM_BYTES } from '../../../formats/oid.ts';
import type { FileSystem, OpenFile } from '../../files/file-system.ts';
import type { Run } from '../../maintenance/run.ts';

/** The state of a file's partial hash, in a form from which another process can go on. */
interface Hashing {
  path: string;
  position: number;
  /** In base64; null at the beginning. */
  state: string | null;
}

/**
 * True if the file ends with the checksum of all bytes before it. Also returns its last bytes and its size.
 */
export async function endsWithItsChecksum(fs: FileSystem, run: Run, path: string, endingBytes: number) {
  // The state of Node's own hashes cannot be saved.
  const { newSha1 } = await import('./sha1-state.ts');
  const hash = await newSha1();
  const slot = run.slot<Hashing | null>('hashing', null);
  const hashing = slot.value?.path === path ? slot.value : { path, position: 0, state: null };
  slot.value = hashing;
  if (hashing.state !== null) hash.load(Buffer.from(hashing.state, 'base64'));
  const file = await fs.open(path, 'r');
  try {
    const size = await file.size();
    const end = Math.max(0, size - CHECKSUM_BYTES);
    while (hashing.position < end) {
      hash.update(await readBytes(file, hashing.position, Math.min(CHUNK_BYTES, end - hashing.position)));
      hashing.position += CHUNK_BYTES;
      hashing.state = Buffer.from(hash.save()).toString('base64');
      await run.step();
    }
    const ending = await readBytes(file, Math.max(0, size - endingBytes), endingBytes);
    const holds = ending.subarray(-CHECKSUM_BYTES).equals(hash.digest('binary'));
    return { holds, ending, size };
  } finally {
    await file.close();
  }
}

async function readBytes(file: OpenFile, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, await file.read(bytes, 0, length, position));
}

const CHUNK_BYTES = 1024 * 1024;
