import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';
import { fetchPythonPackages } from '../../../../labs/requirements.ts';
import { DULWICH } from '../storage/prepare.ts';
import { bundleOf } from '../studies/bundles.ts';
import { DULWICH_PYTHON } from './stack/dulwich-python.ts';
import type { BundleName, StudyBundle } from './stack/studies-stack.ts';

/** A bundle, with what goes into the bucket for it. */
export interface BuiltBundle extends StudyBundle {
  /** The bundle itself, if a task fetches it. */
  readonly content?: Uint8Array;
  zip(): Promise<Uint8Array>;
}

export type BuiltBundles = Readonly<Record<BundleName, BuiltBundle>>;

/** Bundles all that runs in functions and tasks. The same sources give the same bytes, and so the same keys. */
export async function buildBundles(): Promise<BuiltBundles> {
  const [probe, seed, throughput, empty, dulwich] = await Promise.all([
    built('aws-probe', new URL('./functions/probe-main.ts', import.meta.url)),
    built('aws-seed', new URL('./functions/seed-main.ts', import.meta.url)),
    built('throughput', new URL('../studies/throughput/function-main.ts', import.meta.url)),
    built('empty', new URL('../studies/phase0/empty-main.ts', import.meta.url)),
    dulwichBundle(),
  ]);
  return { probe, seed, throughput, empty, dulwich };
}

async function built(name: string, entry: URL): Promise<BuiltBundle> {
  const { file, sha256 } = await bundleOf(name, entry);
  const content = await readFile(file);
  return {
    sha256,
    key: `bundles/${sha256}.mjs`,
    zipKey: `bundles/${sha256}.zip`,
    content,
    // Lambda needs one file.
    zip: () => zipped([['index.mjs', content]]),
  };
}

/**
 * dulwich with its compiled parts for the function's Python. Without compiled bytecode, as packages usually are
 * deployed: a cold start compiles what it imports. Its name is known without the packages: pip fetches them only if
 * the bucket does not have them yet.
 */
async function dulwichBundle(): Promise<BuiltBundle> {
  const own = await readFile(new URL('../studies/phase0/dulwich-function/index.py', import.meta.url));
  const parts = JSON.stringify([DULWICH, DULWICH_PYTHON]);
  const sha256 = createHash('sha256').update(parts).update(own).digest('hex');
  const zipKey = `bundles/${sha256}.zip`;
  return { sha256, key: zipKey, zipKey, zip: () => dulwichZip(own) };
}

async function dulwichZip(own: Uint8Array): Promise<Uint8Array> {
  const packages = await fetchPythonPackages([DULWICH], DULWICH_PYTHON);
  const files = await readdir(packages, { recursive: true, withFileTypes: true });
  const paths = files
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => relative(packages, join(parentPath, name)))
    .filter((path) => !/^bin\/|(^|\/)__pycache__\//.test(path));
  const contents = await Promise.all(
    paths.toSorted().map(async (path) => [path, await readFile(join(packages, path))] as const),
  );
  return zipped([...contents, ['index.py', own]]);
}

/** With a date that never changes: the same bytes give the same zip. */
async function zipped(files: readonly (readonly [name: string, content: Uint8Array])[]): Promise<Uint8Array> {
  const zip = new ZipWriter(new Uint8ArrayWriter());
  for (const [name, content] of files)
    await zip.add(name, new Uint8ArrayReader(content), {
      lastModDate: new Date(Date.UTC(2026, 0, 1)),
      extendedTimestamp: false,
    });
  return zip.close();
}
