import { execFile } from 'node:child_process';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { cached, installPythonPackages } from '../../../../labs/requirements.ts';
import { buildWiki } from '../../../../labs/wikis/build-wiki.ts';
import type { WikiShape } from '../../../../labs/wikis/wiki-text.ts';
import { startEngine } from './engines/engine.ts';

/** The release that the benchmarks compare with. */
export const DULWICH = 'dulwich==1.2.21';
const PYGIT2 = 'pygit2==1.19.2';

/** The directory of a made-up wiki, built once and kept. */
export async function sampleWiki(shape: WikiShape): Promise<string> {
  const make = (directory: string) => buildWiki(join(directory, 'wiki.git'), shape);
  return join(await cached('wiki', JSON.stringify(shape), make), 'wiki.git');
}

/** A copy of a wiki that an engine has made ready for its tellings: ours with its index saved beside it. */
export async function indexedWiki(
  command: readonly string[],
  wiki: string,
  directory: string,
): Promise<string> {
  const copy = join(directory, 'main.git');
  await cp(wiki, copy, { recursive: true, verbatimSymlinks: true });
  const workDirectory = join(directory, 'work');
  await mkdir(workDirectory);
  const engine = startEngine(command);
  await engine.run({ do: 'open', directory, workDirectory }, INDEX_SECONDS);
  await engine.run({ do: 'list' }, INDEX_SECONDS);
  await engine.run({ do: 'settle' }, INDEX_SECONDS);
  await engine.end();
  return copy;
}

/** It grows with the wiki: some minutes at 100,000 pages. */
const INDEX_SECONDS = 1800;

export interface EngineCommands {
  /** The command line of each engine; ours as it ships, in one bundle. */
  commands: Readonly<Record<string, readonly string[]>>;
  /** Why this machine cannot run an engine, for each one. */
  absent: readonly string[];
}

export async function engineCommands(placement: 'local' | 'shared'): Promise<EngineCommands> {
  const dulwich = await pythonEngine('dulwich_engine.py', DULWICH);
  const git = [...(await python()), pathOf('./engines/git_engine.py')];
  const commands = {
    ours: ['node', await bundleOurs(), placement],
    dulwich,
    dulwich_synced: [...dulwich, 'synced'],
    dulwich_by_hand: [...dulwich, 'by-hand'],
    dulwich_by_hand_synced: [...dulwich, 'by-hand', 'synced'],
    git,
    git_synced: [...git, 'synced'],
    git_fast_import: [...git, 'fast-import'],
    isomorphic_git: ['node', pathOf('./engines/isomorphic-git-engine.ts')],
  };
  try {
    const pygit2 = await pythonEngine('pygit2_engine.py', PYGIT2);
    return { commands: { ...commands, pygit2, pygit2_synced: [...pygit2, 'synced'] }, absent: [] };
  } catch (error) {
    // It is a compiled library without a build for every machine; the others can be compared without it.
    return { commands, absent: [`pygit2: ${error instanceof Error ? error.message : error}`] };
  }
}

async function pythonEngine(program: string, requirement: string): Promise<string[]> {
  const packages = await installPythonPackages([requirement]);
  return ['env', `PYTHONPATH=${packages}`, ...(await python()), pathOf(`./engines/${program}`)];
}

/** The interpreter itself, which wrappers of it on the path would delay; it leaves no compiled files behind. */
async function python(): Promise<string[]> {
  const { stdout } = await promisify(execFile)('python3', ['-c', 'import sys; print(sys.executable)']);
  return [stdout.trim(), '-B'];
}

async function bundleOurs(): Promise<string> {
  const outfile = pathOf('../../../../node_modules/.cache/pagetree-labs/wiki-engine.mjs');
  await build({
    entryPoints: [pathOf('./engines/wiki-engine.ts')],
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
