import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { NOTICES_FILE } from '../../../third-party-notices.ts';
import { buildWebProgram } from '../../web/build.ts';
import webJson from '../../web/package.json' with { type: 'json' };
import { ZipWriter } from '../../wiki/src/core/transfer/zip-writer.ts';
import { buildServer, PROGRAM_FILE } from '../build.ts';
import packageJson from '../package.json' with { type: 'json' };
import { isPart } from '../src/cli/setup/kept-program.ts';
import { bundleManifest, npmManifest, registryManifest, WEB_DIRECTORY } from './manifests.ts';
import { billOfMaterials } from './sbom.ts';

/** The files of a release, all in one directory, and their parts below it. */
export interface Release {
  /** The unpacked npm package. */
  npmPackage: string;
  /** The npm package, for `npm publish`. */
  tarball: string;
  /** The bundle for Claude Desktop. */
  bundle: string;
  /** `server.json` for MCP's registry. */
  registryEntry: string;
  /** What is bundled, as CycloneDX. */
  sbom: string;
  /** The SHA-256 of each of these files. */
  checksums: string;
}

/**
 * Builds a release in a directory that is emptied first: the same sources give the same bytes.
 */
export async function buildRelease(directory: string): Promise<Release> {
  const { version } = packageJson;
  if (webJson.version !== version) throw new Error('packages/mcp-server and packages/web have two versions.');
  const npmPackage = join(directory, 'parts', 'npm');
  const bundleSource = join(directory, 'parts', 'mcpb');
  await rm(directory, { recursive: true, force: true });
  await Promise.all([npmPackage, bundleSource].map((path) => mkdir(path, { recursive: true })));

  await buildServer(join(npmPackage, 'pagetree.js'));
  await buildWebProgram(join(npmPackage, WEB_DIRECTORY));
  await Promise.all([
    writeJson(join(npmPackage, 'package.json'), npmManifest(version)),
    copyFile(fromHere('npm-readme.md'), join(npmPackage, 'README.md')),
    copyFile(fromHere('../../../LICENSE'), join(npmPackage, 'LICENSE')),
  ]);
  const tarball = await pack(npmPackage, directory);

  const parts = (await readdir(npmPackage)).filter(isPart);
  for (const file of ['pagetree.js', PROGRAM_FILE, ...parts])
    await cp(join(npmPackage, file), join(bundleSource, 'server', file));
  for (const file of ['LICENSE', NOTICES_FILE])
    await copyFile(join(npmPackage, file), join(bundleSource, file));
  await copyFile(fromHere('icon.png'), join(bundleSource, 'icon.png'));
  await writeJson(join(bundleSource, 'manifest.json'), bundleManifest(version));
  const bundle = join(directory, `pagetree-${version}.mcpb`);
  await packBundle(bundleSource, bundle);

  const registryEntry = join(directory, 'server.json');
  await writeJson(registryEntry, registryManifest(version));
  const sbom = join(directory, 'sbom.cdx.json');
  const notices = [NOTICES_FILE, join(WEB_DIRECTORY, NOTICES_FILE)].map((file) =>
    readFile(join(npmPackage, file), 'utf8'),
  );
  await writeJson(sbom, await billOfMaterials(npmManifest(version), (await Promise.all(notices)).join('\n')));

  const checksums = join(directory, 'SHA256SUMS');
  await writeFile(checksums, await checksumsOf([tarball, bundle, registryEntry, sbom]));
  return { npmPackage, tarball, bundle, registryEntry, sbom, checksums };
}

async function pack(npmPackage: string, into: string): Promise<string> {
  await run('npm', ['pack', '--silent', '--pack-destination', into], { cwd: npmPackage });
  const packed = (await readdir(into)).find((file) => file.endsWith('.tgz'));
  return join(into, packed ?? '');
}

/** MCPB's own tool checks the manifest. It would pack with the present time, so that no two bundles were equal. */
async function packBundle(source: string, bundle: string): Promise<void> {
  await run('npx', ['-y', '@anthropic-ai/mcpb@2.1.2', 'validate', join(source, 'manifest.json')]);
  const zip = new ZipWriter({ date: new Date('1985-10-26T00:00:00Z') });
  const entries = await readdir(source, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  for (const file of files.toSorted()) {
    await zip.add(relative(source, file).replaceAll('\\', '/'), await readFile(file));
  }
  await writeFile(bundle, zip.finish());
}

/** In the form of `sha256sum --check`. */
async function checksumsOf(files: readonly string[]): Promise<string> {
  const lines = files.map(async (file) => {
    const sum = createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
    return `${sum}  ${basename(file)}\n`;
  });
  return (await Promise.all(lines)).join('');
}

async function writeJson(file: string, content: object): Promise<void> {
  await writeFile(file, `${JSON.stringify(content, null, 2)}\n`);
}

function fromHere(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}

const run = promisify(execFile);
