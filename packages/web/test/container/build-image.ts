import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { installPrograms } from '../../../../labs/requirements.ts';
import { buildBase } from './base-image.ts';

const run = promisify(execFile);
const REPOSITORY = fileURLToPath(new URL('../../../..', import.meta.url));

/** The image of the Dockerfile as `localhost/pagetree`, in a storage of its own. */
export interface BuiltImage {
  /** The options of podman for its storage. */
  storage: readonly string[];
  podman(...args: string[]): Promise<string>;
  remove(): Promise<void>;
}

export async function buildImage(): Promise<BuiltImage> {
  const programs = ['buildah', 'podman', 'runc', 'mmdebstrap'];
  await installPrograms(Object.fromEntries(programs.map((program) => [program, program])));
  const place = await mkdtemp(join(tmpdir(), 'pagetree-container-'));
  // For sockets, whose paths must be short.
  const state = await mkdtemp('/run/pagetree-');
  const storage = ['--root', join(place, 'storage'), '--runroot', state];
  const podman = async (...args: string[]) =>
    (await run('podman', [...storage, '--runtime', 'runc', ...args])).stdout.trim();
  const remove = async () => {
    await podman('rmi', '--all', '--force').catch(() => {});
    for (const directory of [place, state]) await rm(directory, { recursive: true, force: true });
  };
  try {
    await buildBase('base', storage);
    const certificates = '/etc/ssl/certs:/etc/ssl/certs:ro';
    await run('buildah', [
      ...[...storage, 'build', '--isolation=chroot', '--network=host', '--volume', certificates],
      ...['--format=docker', '--build-arg', 'BASE=localhost/base', '--tag', 'pagetree', REPOSITORY],
    ]);
    return { storage, podman, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
