import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { cached, installPythonPackages } from '../../../../labs/requirements.ts';
import { buildWiki } from '../../../../labs/wikis/build-wiki.ts';
import type { WikiShape } from '../../../../labs/wikis/wiki-text.ts';

/** The release that the benchmarks compare with. */
export const DULWICH = 'dulwich==1.2.21';

/** The directory of a made-up wiki, built once and kept. */
export async function sampleWiki(shape: WikiShape): Promise<string> {
  const make = (directory: string) => buildWiki(join(directory, 'wiki.git'), shape);
  return join(await cached('wiki', JSON.stringify(shape), make), 'wiki.git');
}

/** The command line of each engine; ours as it ships, in one bundle. */
export async function engineCommands(
  placement: 'local' | 'shared',
): Promise<Record<'ours' | 'dulwich' | 'dulwich_by_hand' | 'git', string[]>> {
  const packages = await installPythonPackages([DULWICH]);
  const dulwich = ['env', `PYTHONPATH=${packages}`, 'python3', pathOf('./dulwich_engine.py')];
  return {
    ours: ['node', await bundleOurs(), placement],
    dulwich,
    dulwich_by_hand: [...dulwich, 'by-hand'],
    git: ['node', pathOf('./git-engine.ts')],
  };
}

async function bundleOurs(): Promise<string> {
  const outfile = pathOf('../../../../node_modules/.cache/pagetree-labs/wiki-engine.mjs');
  await build({
    entryPoints: [pathOf('./wiki-engine.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
  return outfile;
}

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}
