import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** A file as it could lie in this repository. */
export interface Snippet {
  path: string;
  code: string;
}

/** A snippet that the linter must refuse, by this rule. */
export interface Refused extends Snippet {
  because: string;
  rule: string;
}

export interface Finding {
  rule: string;
  path: string;
}

/** The rule of the walls. */
export const IMPORTS = 'lint/style/noRestrictedImports';

/** One snippet for each module, so that each is seen to be refused by itself. */
export function imports(path: string, because: string, modules: readonly string[]): Refused[] {
  return modules.map((module, index) => ({
    path: path.replace(/\.ts$/, `-${index}.ts`),
    code: `import { a } from '${module}';\n\nexport const b = a;`,
    because,
    rule: IMPORTS,
  }));
}

/** Biome's findings in the snippets, by this repository's configuration. */
export async function lint(snippets: readonly Snippet[]): Promise<Finding[]> {
  const directory = await mkdtemp(join(tmpdir(), 'pagetree-lint-'));
  try {
    await copyFile(fileURLToPath(new URL('./biome.json', import.meta.url)), join(directory, 'biome.json'));
    for (const { path, code } of snippets) await write(join(directory, path), code);
    return await findings(directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function write(path: string, code: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${code}\n`);
}

async function findings(cwd: string): Promise<Finding[]> {
  const biome = fileURLToPath(import.meta.resolve('@biomejs/biome/bin/biome'));
  const options = [biome, 'lint', '--vcs-enabled=false', '--max-diagnostics=none', '--reporter=json'];
  // Biome ends with 1, as it must here; its findings are on the standard output all the same.
  const { stdout } = await promisify(execFile)(process.execPath, options, { cwd }).catch((failed) => failed);
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { category: string; location: { path: string } }[];
  };
  return diagnostics.map(({ category, location }) => ({ rule: category, path: location.path }));
}
