import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { noise } from '../../../../../../labs/noise.ts';
import { temporaryDirectory } from '../../../../test/native-git.ts';
import { interceptedFileSystem } from '../../../../test/storage/file-systems/intercepted-file-system.ts';
import { runInCalls } from '../../../../test/storage/maintenance/run-in-calls.ts';
import type { FileSystem } from '../../files/file-system.ts';
import { nodeFileSystem } from '../../files/node-file-system.ts';
import { Run } from '../../maintenance/run.ts';
import { endsWithItsChecksum } from './file-checksum.ts';

const MB = 1024 * 1024;

it.each([0, 1, MB - 1, MB, MB + 1, 2.5 * MB])(
  'a file of %d bytes and its checksum is read once, in calls of any length',
  async (length) => {
    const path = join(temporaryDirectory(), 'file');
    const bytes = sealed(noise(length));
    for (const steps of [1, 2, 100]) {
      writeFileSync(path, bytes);
      const { fs, bytesRead } = measured();
      const { report, calls } = await runInCalls(steps, (run) => endsWithItsChecksum(fs, run, path, 40));
      expect(report).toEqual({ holds: true, ending: bytes.subarray(-40), size: bytes.length });
      expect(calls).toBe(Math.floor(Math.ceil(length / MB) / (steps + 1)) + 1);
      expect(bytesRead()).toBe(length + Math.min(40, bytes.length));
    }
    for (const at of [0, length, bytes.length - 1]) {
      const damaged = Buffer.from(bytes);
      damaged.writeUInt8(damaged.readUInt8(at) ^ 1, at);
      writeFileSync(path, damaged);
      const { report } = await runInCalls(1, (run) => endsWithItsChecksum(nodeFileSystem, run, path, 20));
      expect(report.holds).toBe(false);
    }
  },
);

it('a file that is shorter than a checksum does not hold its own', async () => {
  const path = join(temporaryDirectory(), 'file');
  writeFileSync(path, noise(19));
  expect(await endsWithItsChecksum(nodeFileSystem, Run.toItsEnd(), path, 20)).toMatchObject({ holds: false });
});

it('a file is read from its beginning if the run read another one before', async () => {
  const directory = temporaryDirectory();
  const paths = ['first', 'second'].map((name) => join(directory, name));
  for (const path of paths) writeFileSync(path, sealed(noise(2 * MB)));
  const memory = { slots: {}, lists: {} };
  const [first = '', second = ''] = paths;
  const check = (path: string) => (run: Run) => endsWithItsChecksum(nodeFileSystem, run, path, 20);
  let left = 1;
  const short = new Run({ memory, goOn: () => left-- > 0, checkpoint: () => undefined });
  await expect(check(first)(short)).rejects.toThrow();
  for (const path of [second, first])
    expect((await runInCalls(1, check(path), memory)).report).toMatchObject({ holds: true });
});

function sealed(body: Uint8Array): Buffer {
  return Buffer.concat([body, createHash('sha1').update(body).digest()]);
}

function measured(): { fs: FileSystem; bytesRead(): number } {
  let total = 0;
  const fs = interceptedFileSystem(nodeFileSystem, async (call, perform) => {
    const result = await perform();
    if (call.name === 'read' && typeof result === 'number') total += result;
    return result;
  });
  return { fs, bytesRead: () => total };
}
