import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const SOURCES = join(import.meta.dirname, '..', '..', 'src');
const LATE = ['oidc-provider', 'light-my-request', 'openid-client'];

/** Those of the late packages that a process has loaded with a module. */
function loadedWith(module: string): string[] {
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = new Set();
    registerHooks({
      load(url, context, next) {
        const [name] = url.split('/node_modules/').at(-1).split('/');
        if (${JSON.stringify(LATE)}.includes(name)) loaded.add(name);
        return next(url, context);
      },
    });
    await import(${JSON.stringify(pathToFileURL(module).href)});
    console.log(JSON.stringify([...loaded].sort()));
  `;
  const args = ['--input-type=module', '--eval', script];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as string[];
}

test('a server where people log in loads the libraries of OAuth when a client or a person comes, not before', () => {
  expect(loadedWith(join(SOURCES, 'cli', 'open-team.ts'))).toEqual([]);
  expect(loadedWith(join(SOURCES, 'oauth', 'provider.ts'))).toEqual(['oidc-provider']);
});
