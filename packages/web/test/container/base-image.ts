import { execFile } from 'node:child_process';
import { copyFile, cp, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cached } from '../../../../labs/requirements.ts';

const run = promisify(execFile);

/**
 * Debian with the Node and the npm of this machine: no registry of images is needed. Node also believes the certificates of
 * Debian, to which a machine may have added its own.
 */
const BASE = `FROM scratch
ADD root.tar /
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \\
  && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx
`;

/** Builds the image that stands for that of Node, under a name. `options` are those of buildah. */
export async function buildBase(name: string, options: readonly string[]): Promise<void> {
  const debian = await cached('container-base', 'bookworm', async (directory) => {
    const variant = ['--variant=minbase', '--include=ca-certificates'];
    await run('mmdebstrap', [...variant, 'bookworm', join(directory, 'root.tar')]);
  });
  const directory = await mkdtemp(join(tmpdir(), 'pagetree-base-'));
  try {
    const npm = dirname(dirname(await realpath((await run('which', ['npm'])).stdout.trim())));
    await Promise.all([
      copyFile(join(debian, 'root.tar'), join(directory, 'root.tar')),
      copyFile(process.execPath, join(directory, 'node')),
      cp(npm, join(directory, 'npm'), { recursive: true }),
      writeFile(join(directory, 'Dockerfile'), BASE),
    ]);
    await run('buildah', [...options, 'build', '--isolation=chroot', '--tag', name, directory]);
  } finally {
    await rm(directory, { recursive: true });
  }
}
