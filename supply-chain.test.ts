import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

/** Packages that run a script of their own when they are installed: each was looked at, and each is allowed by name. */
const KNOWN = ['esbuild', 'node'];

const ROOT = import.meta.dirname;
const workspace = readFileSync(join(ROOT, 'pnpm-workspace.yaml'), 'utf8');

test('only known packages have an install script', () => {
  const manifests = globSync('node_modules/.pnpm/*/node_modules/{*,@*/*}/package.json', { cwd: ROOT });
  const packages = manifests.map((path) => join(ROOT, path)).filter(isPackage);
  expect(packages.length).toBeGreaterThan(200);
  const scripted = packages.filter(hasInstallScript).map(nameOf);
  expect([...new Set(scripted)].toSorted()).toEqual(KNOWN);
});

test('pnpm runs the install scripts of known packages only', () => {
  const [, builds = ''] = /^allowBuilds:\n((?: {2}.*\n?)+)/m.exec(workspace) ?? [];
  const allowed = builds
    .trim()
    .split('\n')
    .map((line) => line.trim());
  expect(allowed).toEqual(KNOWN.map((name) => `${name}: true`));
});

test('pnpm is pinned by its hash, and installs no release in its first days', () => {
  const { packageManager } = manifest(join(ROOT, 'package.json'));
  expect(packageManager).toMatch(/^pnpm@12\.\d+\.\d+\+sha512\.[0-9a-f]{128}$/);
  const [, minutes] = /^minimumReleaseAge: (\d+)$/m.exec(workspace) ?? [];
  expect(Number(minutes)).toBeGreaterThanOrEqual(3 * 24 * 60);
});

test('what an install downloads of a package is the package alone', () => {
  // Otherwise the whole history of every package is downloaded to ask for the age of the one release in the lock file.
  expect(workspace).toMatch(/^trustLockfile: true$/m);
});

test('every package comes from the registry, with its hash', () => {
  const lock = readFileSync(join(ROOT, 'pnpm-lock.yaml'), 'utf8');
  const [, packages = ''] = lock.split(/^packages:\n/m);
  const [resolved = ''] = packages.split(/^snapshots:\n/m);
  const resolutions = [...resolved.matchAll(/^ {4}resolution: (.*)$/gm)].map(([, how]) => how);
  expect(resolutions.length).toBeGreaterThan(200);
  for (const how of resolutions) expect(how).toMatch(/^\{integrity: sha512-[\w+/=]+\}$/);
});

const workflows = globSync('.github/workflows/*.yml', { cwd: ROOT }).map((file) => [
  file,
  readFileSync(join(ROOT, file), 'utf8'),
]);

test('there are workflows', () => {
  expect(workflows.length).toBe(2);
});

test.each(workflows)('%s uses actions by their commits, and may do nothing by default', (_, text = '') => {
  const used = [...text.matchAll(/uses: (.*)/g)].map(([, action = '']) => action);
  for (const action of used.filter((each) => !each.startsWith('./')))
    expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  expect(text).toMatch(/^permissions:\n {2}contents: read\n\n/m);
  expect(text).not.toMatch(/pull_request_target|secrets\./);
});

interface Manifest {
  name?: string;
  version?: string;
  packageManager?: string;
  scripts?: Record<string, string>;
}

function manifest(path: string): Manifest {
  return JSON.parse(readFileSync(path, 'utf8')) as Manifest;
}

/** Packages carry other manifests, of their tests and modules. */
function isPackage(path: string): boolean {
  const { name, version } = manifest(path);
  return name !== undefined && version !== undefined;
}

/** npm compiles a package with a `binding.gyp` by itself. */
function hasInstallScript(path: string): boolean {
  const { scripts = {} } = manifest(path);
  const runs = ['preinstall', 'install', 'postinstall'].some((script) => scripts[script] !== undefined);
  return runs || existsSync(join(dirname(path), 'binding.gyp'));
}

function nameOf(path: string): string {
  return manifest(path).name ?? path;
}
