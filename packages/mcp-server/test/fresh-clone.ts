import { access, mkdir, symlink } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from './built-server.ts';
import { git } from './git.ts';

/** A clone of what is committed here, and the PATH of a machine that has git, Node and npm and nothing of ours. */
export async function freshClone(): Promise<{ clone: string; path: string }> {
  // The pnpm that runs these tests tells those below it that everything is installed: not so in the clone.
  delete process.env.pnpm_config_verify_deps_before_run;
  const parent = await temporaryDirectory();
  const clone = join(parent, 'pagetree');
  await git(parent, 'clone', '--quiet', fileURLToPath(new URL('../../..', import.meta.url)), clone);
  const path = join(parent, 'bin');
  await mkdir(path);
  // npm starts scripts by the shell; what else a shell needs of a system stands in `env`.
  for (const program of ['git', 'node', 'npm', 'npx', 'sh', 'env']) {
    await symlink(await systemProgram(program), join(path, program));
  }
  return { clone, path };
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
