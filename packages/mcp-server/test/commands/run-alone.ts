import { spawn } from 'node:child_process';
import { constants, homedir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** An installed clone of this repository, and the PATH to run its commands with. */
export interface InstalledClone {
  clone: string;
  path: string;
}

export interface Ended {
  status: number;
  /** Standard output and standard error, one after the other. */
  said: string;
}

/**
 * Runs a line of shell as the first command in a fresh clone. Its writes go to a memory layer above the
 * clone, in a mount namespace of its own, and are gone afterwards. The same holds for its home directory,
 * which contains a folder of notes.
 */
export async function runAlone({ clone, path }: InstalledClone, line: string): Promise<Ended> {
  const setUp = [
    'set -e',
    'layer=$(mktemp -d)',
    'mount -t tmpfs alone "$layer"',
    'mkdir -p "$layer/upper" "$layer/work" "$layer/home/Notes" "$layer/upper/my-notes"',
    'echo "# Tea" | tee "$layer/home/Notes/Tea.md" > "$layer/upper/my-notes/Tea.md"',
    'mount -t overlay alone -o "lowerdir=$clone,upperdir=$layer/upper,workdir=$layer/work" "$clone"',
    'cd "$clone"',
    'PATH=$paths HOME=$layer/home exec sh -c "$line"',
  ];
  const { PATH, TMPDIR, NODE_EXTRA_CA_CERTS, PAGETREE_CORPORA } = process.env;
  const env = {
    ...given({ PATH, TMPDIR, NODE_EXTRA_CA_CERTS, PAGETREE_CORPORA }),
    // This machine's registry settings and Node headers do not belong to the clone.
    NPM_CONFIG_USERCONFIG: join(homedir(), '.npmrc'),
    PAGETREE_AUTHOR: 'Ada Lovelace <ada@example.org>',
    AWS_EC2_METADATA_DISABLED: 'true',
    clone,
    paths: path,
    line,
  };
  const child = spawn('unshare', ['-m', '--', 'sh', '-c', setUp.join('\n')], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']));
  });
  const [out, err, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { status, said: `${out}${err}` };
}

function given(variables: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
