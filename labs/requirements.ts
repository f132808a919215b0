import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What labs download or build lies here: ignored by git, visible and read-only inside nfs-lab. */
const CACHE = fileURLToPath(new URL('../node_modules/.cache/pagetree-labs', import.meta.url));

/**
 * Installs the Debian packages whose programs are missing.
 * @param programs the package that brings each program, as `{ rg: 'ripgrep' }`.
 * @throws Error naming the packages that could not be installed.
 */
export async function installPrograms(programs: Readonly<Record<string, string>>): Promise<void> {
  const places = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  const missing = Object.entries(programs)
    .filter(([program]) => !places.some((place) => existsSync(join(place, program))))
    .map(([, debianPackage]) => debianPackage);
  if (missing.length === 0) return;
  const wait = ['-qq', '-o', 'DPkg::Lock::Timeout=120'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    await run('apt-get', [...wait, 'update'], { env });
    await run('apt-get', [...wait, 'install', '-y', '--no-install-recommends', ...missing], { env });
  } catch (error) {
    throw new Error(`This lab needs the Debian packages ${missing.join(', ')}.`, { cause: error });
  }
}

/**
 * Installs packages of PyPI, once for each set of them, with Python itself where it is missing.
 * @param requirements each with its version, as `dulwich==1.1.0`.
 * @returns the directory to put on `PYTHONPATH`; run their programs with `python3 -m`.
 * @throws Error naming what could not be installed.
 */
export function installPythonPackages(requirements: readonly string[]): Promise<string> {
  return cached('python', requirements.join(' '), async (directory) => {
    await installPrograms({ python3: 'python3', pip3: 'python3-pip' });
    const options = [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--disable-pip-version-check',
      '--root-user-action=ignore',
    ];
    try {
      await run('python3', [...options, '--target', directory, ...requirements]);
    } catch (error) {
      throw new Error(`This lab needs the Python packages ${requirements.join(', ')}.`, { cause: error });
    }
  });
}

/**
 * Installs packages of npm, once for each set of them, apart from those of the repository.
 * @param requirements each with its version, as `@modelcontextprotocol/conformance@0.1.16`.
 * @returns the directory whose `node_modules` has them.
 * @throws Error naming what could not be installed.
 */
export function installNpmPackages(requirements: readonly string[]): Promise<string> {
  return cached('npm', requirements.join(' '), async (directory) => {
    const options = ['install', '--silent', '--no-audit', '--no-fund', '--no-save', '--prefix', directory];
    try {
      await run('npm', [...options, ...requirements]);
    } catch (error) {
      throw new Error(`This lab needs the npm packages ${requirements.join(', ')}.`, { cause: error });
    }
  });
}

/**
 * What `make` puts into an empty directory, made once for each `key` and kept.
 * @param name tells a person what lies there.
 * @param key whatever the content depends on, versions above all.
 */
export async function cached(
  name: string,
  key: string,
  make: (directory: string) => Promise<void>,
): Promise<string> {
  const place = join(CACHE, `${name}-${createHash('sha256').update(key).digest('hex').slice(0, 16)}`);
  if (existsSync(place)) return place;
  await mkdir(CACHE, { recursive: true });
  const temporary = await mkdtemp(`${place}.`);
  try {
    await make(temporary);
    // Where another process was faster, its directory is as good: a populated directory is never replaced.
    await rename(temporary, place).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return place;
}
