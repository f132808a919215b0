import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export interface Bundle {
  /** Holds `index.mjs` and nothing else. */
  readonly directory: string;
  readonly file: string;
  readonly sha256: string;
}

const entries = { probe: './jitter/probe-main.ts', throughput: './throughput/function-main.ts' } as const;

/** The jitter probe (a function by its `handler`, a task when it is run: the same bytes), or the throughput function. */
export function bundle(what: keyof typeof entries): Promise<Bundle> {
  return bundleOf(`study-${what}`, new URL(entries[what], import.meta.url));
}

/** Bundles a program that needs nothing beside Node 24 then. The same sources give the same bytes. */
export async function bundleOf(name: string, entry: URL): Promise<Bundle> {
  const directory = fileURLToPath(
    new URL(`../../../../node_modules/.cache/pagetree-labs/${name}`, import.meta.url),
  );
  const file = join(directory, 'index.mjs');
  await build({
    entryPoints: [fileURLToPath(entry)],
    outfile: file,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    minify: true,
    legalComments: 'eof',
    logLevel: 'warning',
    banner: { js: banner },
  });
  const sha256 = createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
  return { directory, file, sha256 };
}

/** The CommonJS packages in the bundle ask for `require`, which an ES module does not have. */
const banner = `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);`;
