import { execFile } from 'node:child_process';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { NOTICES_FILE } from '../../../third-party-notices.ts';
import { buildServer, PROGRAM_FILE } from '../build.ts';
import packageJson from '../package.json' with { type: 'json' };
import { bundleManifest, npmManifest, registryManifest } from './manifests.ts';

/** The paths of a built release. */
export interface Release {
  /** A directory for `npm publish` or `npm pack`. */
  npmPackage: string;
  /** The bundle for Claude Desktop. */
  bundle: string;
  /** `server.json` for MCP's registry. */
  registryEntry: string;
}

/** Builds a release in a directory that is emptied first. MCPB's own tool validates and packs the bundle. */
export async function buildRelease(directory: string): Promise<Release> {
  const { version } = packageJson;
  const npmPackage = join(directory, 'npm');
  const bundleSource = join(directory, 'bundle');
  const bundle = join(directory, `pagetree-${version}.mcpb`);
  const registryEntry = join(directory, 'server.json');
  await rm(directory, { recursive: true, force: true });
  await Promise.all(
    [npmPackage, join(bundleSource, 'server')].map((path) => mkdir(path, { recursive: true })),
  );

  const server = join(npmPackage, 'pagetree.js');
  await buildServer(server);
  await Promise.all([
    writeJson(join(npmPackage, 'package.json'), npmManifest(version)),
    copyFile(fromRoot('README.md'), join(npmPackage, 'README.md')),
    copyFile(fromRoot('LICENSE'), join(npmPackage, 'LICENSE')),
    copyFile(server, join(bundleSource, 'server', 'pagetree.js')),
    copyFile(join(npmPackage, PROGRAM_FILE), join(bundleSource, 'server', PROGRAM_FILE)),
    copyFile(fromRoot('LICENSE'), join(bundleSource, 'LICENSE')),
    copyFile(join(npmPackage, NOTICES_FILE), join(bundleSource, NOTICES_FILE)),
    copyFile(fileURLToPath(new URL('icon.png', import.meta.url)), join(bundleSource, 'icon.png')),
    writeJson(join(bundleSource, 'manifest.json'), bundleManifest(version)),
    writeJson(registryEntry, registryManifest(version)),
  ]);
  await mcpb('validate', join(bundleSource, 'manifest.json'));
  await mcpb('pack', bundleSource, bundle);
  return { npmPackage, bundle, registryEntry };
}

async function mcpb(...args: string[]): Promise<void> {
  await promisify(execFile)('npx', ['-y', '@anthropic-ai/mcpb@2.1.2', ...args]);
}

async function writeJson(file: string, content: object): Promise<void> {
  await writeFile(file, `${JSON.stringify(content, null, 2)}\n`);
}

function fromRoot(file: string): string {
  return fileURLToPath(new URL(`../../../${file}`, import.meta.url));
}

if (import.meta.main) {
  const release = await buildRelease(fileURLToPath(new URL('../dist/release', import.meta.url)));
  process.stdout.write(`${Object.values(release).join('\n')}\n`);
}
