import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const SOURCES = join(import.meta.dirname, '..', '..', 'src');

/** The files in the folder `git` that a process has loaded with a module. */
function loadedWith(module: string): string[] {
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = new Set();
    registerHooks({
      load(url, context, next) {
        const [, file] = /packages\\/web\\/src\\/git\\/(.*)$/.exec(url) ?? [];
        if (file !== undefined) loaded.add(file);
        return next(url, context);
      },
    });
    await import(${JSON.stringify(pathToFileURL(module).href)});
    console.log(JSON.stringify([...loaded].sort()));
  `;
  const args = ['--input-type=module', '--eval', script];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as string[];
}

test('a server loads its git when git comes, not before', () => {
  expect(loadedWith(join(SOURCES, 'program.ts'))).toEqual(['late-git.ts']);
  expect(loadedWith(join(SOURCES, 'cli', 'open-team.ts'))).toEqual(['late-git.ts']);
  expect(loadedWith(join(SOURCES, 'git', 'open-git.ts'))).toContain('git-server.ts');
});
