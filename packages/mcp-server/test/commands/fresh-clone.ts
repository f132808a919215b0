import { access, mkdir, symlink } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../built-server.ts';
import { git } from '../git.ts';

/**
 * A clone of the committed state, and the PATH of a machine that has git, npm, this Node or its own, and nothing of
 * ours.
 */
export async function freshClone(node?: string): Promise<{ clone: string; path: string }> {
  const parent = await temporaryDirectory();
  const clone = join(parent, 'pagetree');
  await git(parent, 'clone', '--quiet', fileURLToPath(new URL('../../../..', import.meta.url)), clone);
  return { clone, path: await barePath(parent, node) };
}

/** The PATH of a machine that has git, npm, the given Node or its own, and nothing of ours. */
export async function barePath(parent: string, node?: string): Promise<string> {
  const path = join(parent, 'bin');
  await mkdir(path);
  // npm starts scripts by the shell; `env` has the other programs that a shell needs.
  for (const program of ['git', 'npm', 'npx', 'sh', 'env']) {
    await symlink(await systemProgram(program), join(path, program));
  }
  await symlink(node ?? (await systemProgram('node')), join(path, 'node'));
  return path;
}

/** Not the ones that the package scripts of this repository put before the system's. */
async function systemProgram(name: string): Promise<string> {
  const directories = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((part) => !part.includes('node_modules'));
  for (const candidate of directories.map((directory) => join(directory, name))) {
    const isThere = await access(candidate).then(
      () => true,
      () => false,
    );
    if (isThere) return candidate;
  }
  throw new Error(`This lab needs ${name} on the PATH.`);
}
