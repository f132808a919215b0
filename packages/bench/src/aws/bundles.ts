import { readFile } from 'node:fs/promises';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';
import { bundleOf } from '../studies/bundles.ts';
import type { StudyBundle } from './stack/studies-stack.ts';

/** A bundle, with what goes into the bucket for it. */
export interface BuiltBundle extends StudyBundle {
  readonly content: Uint8Array;
  readonly zip: Uint8Array;
}

export type BuiltBundles = Readonly<Record<'probe' | 'seed' | 'throughput', BuiltBundle>>;

/** Bundles all that runs in functions and tasks. The same sources give the same bytes, and so the same keys. */
export async function buildBundles(): Promise<BuiltBundles> {
  const [probe, seed, throughput] = await Promise.all([
    built('aws-probe', new URL('./functions/probe-main.ts', import.meta.url)),
    built('aws-seed', new URL('./functions/seed-main.ts', import.meta.url)),
    built('throughput', new URL('../studies/throughput/function-main.ts', import.meta.url)),
  ]);
  return { probe, seed, throughput };
}

async function built(name: string, entry: URL): Promise<BuiltBundle> {
  const { file, sha256 } = await bundleOf(name, entry);
  const content = await readFile(file);
  return {
    sha256,
    key: `bundles/${sha256}.mjs`,
    zipKey: `bundles/${sha256}.zip`,
    content,
    zip: await zipped(content),
  };
}

/** As `index.mjs`, with a date that never changes: Lambda needs one file, and the same bytes give the same zip. */
async function zipped(content: Uint8Array): Promise<Uint8Array> {
  const zip = new ZipWriter(new Uint8ArrayWriter());
  await zip.add('index.mjs', new Uint8ArrayReader(content), {
    lastModDate: new Date(Date.UTC(2026, 0, 1)),
    extendedTimestamp: false,
  });
  return zip.close();
}
