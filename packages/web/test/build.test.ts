import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { buildWebFunction, buildWebProgram } from '../build.ts';
import { assetsOfPackage } from '../src/cli/assets/assets-of-package.ts';
import { assetsOfSources } from '../src/cli/assets/assets-of-sources.ts';

const FILES = [
  'THIRD-PARTY-NOTICES.txt',
  'diagrams.html',
  'graph.js',
  'handler.mjs',
  'index.mjs',
  'oidc-provider.mjs',
  'render-worker.mjs',
  'site.json',
  'start-wiki.mjs',
];
const PART = /^part-[A-Z0-9]{8}\.mjs$/;
const RENDER_PART = /^render-part-[A-Z0-9]{8}\.mjs$/;

test('the function that shows pages is small, the same whenever it is built, and has no wiki in it', async () => {
  const [directory, again] = [temporaryDirectory(), temporaryDirectory()];
  writeFileSync(join(directory, 'part-OLDBUILD.mjs'), '');
  const [start, wiki, rest, worker] = await buildWebFunction(directory);
  await buildWebFunction(again);
  const files = readdirSync(directory).sort();
  expect(files.filter((file) => !PART.test(file) && !RENDER_PART.test(file))).toEqual(FILES);
  expect(files).not.toContain('part-OLDBUILD.mjs');
  expect(readdirSync(again).sort()).toEqual(files);
  const textOf = (file: string) => readFileSync(join(directory, file), 'utf8');
  for (const file of files) expect(readFileSync(join(again, file), 'utf8') === textOf(file), file).toBe(true);
  // With all that they load at the start of an environment.
  expect([start?.file, wiki?.file, rest?.file, worker?.file]).toEqual([
    'index.mjs',
    'start-wiki.mjs',
    'handler.mjs',
    'render-worker.mjs',
  ]);
  expect(start?.bytes).toBeLessThan(40_000);
  expect(wiki?.bytes).toBeLessThan(620_000);
  expect(rest?.bytes).toBeLessThan(340_000);
  expect(worker?.bytes).toBeLessThan(380_000);
  const main = files
    .filter((file) => /^(index|start-wiki|handler)\.mjs$/.test(file) || PART.test(file))
    .map(textOf);
  // The storage, the index and the compiler of scripts are somewhere else, and nobody asks for a stack.
  for (const text of ['node:sqlite', 'pagetree/chain', 'esbuild'])
    expect(
      main.some((part) => part.includes(text)),
      text,
    ).toBe(false);
  const notices = textOf('THIRD-PARTY-NOTICES.txt');
  expect(notices.includes('@aws-sdk/client-cloudformation ')).toBe(false);
  // Markdown is for the threads, which load later what few pages need.
  const rendering = files.filter((file) => RENDER_PART.test(file)).map(textOf);
  for (const text of ['katex', 'hljs', 'annotation-xml']) {
    expect(
      main.some((part) => part.includes(text)),
      text,
    ).toBe(false);
    expect(
      rendering.some((part) => part.includes(text)),
      text,
    ).toBe(true);
  }
  for (const name of [
    'hono',
    '@aws-sdk/client-dynamodb',
    '@aws-sdk/client-lambda',
    '@aws-sdk/client-ssm',
    '@modelcontextprotocol/server',
    'oidc-provider',
    'openid-client',
    'katex',
    '@mermaid-js/tiny',
    'sigma',
    '@codemirror/view',
  ])
    expect(notices.includes(`${name} `), name).toBe(true);
  await expectNamesOf(directory);
});

test('the program of the npm package has the assets that a clone builds, and builds none itself', async () => {
  const directory = temporaryDirectory();
  await buildWebProgram(directory);
  const packaged = assetsOfPackage(pathToFileURL(join(directory, '/')));
  const [served, own] = await Promise.all([packaged.served(), assetsOfSources.served()]);
  for (const part of ['stylesheet', 'script', 'editor'] as const)
    expect(served[part] === own[part], part).toBe(true);
  expect([served.graph.digest, served.diagrams.scripts]).toEqual([own.graph.digest, own.diagrams.scripts]);
  expect(served.graph.text() === own.graph.text()).toBe(true);
  expect(served.diagrams.html() === own.diagrams.html()).toBe(true);
  expect(await served.notices()).toContain(await own.notices());
  const [exported, ownExport] = await Promise.all([packaged.exported(), assetsOfSources.exported()]);
  expect({ ...exported, diagrams: null }).toEqual({ ...ownExport, diagrams: null });
  // Its programs, one for each platform.
  expect(readFileSync(join(directory, 'index.mjs'), 'utf8').includes('@esbuild/')).toBe(false);
  await expectNamesOf(directory);
  // The library is loaded when a client comes.
  const { metafile } = await build({
    ...{
      entryPoints: [join(directory, 'index.mjs')],
      external: ['./*', '@*'],
      platform: 'node',
      format: 'esm',
    },
    ...{ bundle: true, write: false, metafile: true },
  });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  expect(imports.filter(({ path }) => path.endsWith('oidc-provider.mjs')).map(({ kind }) => kind)).toEqual([
    'dynamic-import',
  ]);
});

/** The library of OAuth in a bundle stores each object under the name of its class. */
async function expectNamesOf(directory: string): Promise<void> {
  const { Provider } = await import(pathToFileURL(join(directory, 'oidc-provider.mjs')).href);
  const names: string[] = [];
  const adapter = (name: string) => {
    names.push(name);
    return { find: async () => undefined };
  };
  const provider = new Provider('https://wiki.example.org', {
    adapter,
    features: { devInteractions: { enabled: false } },
  });
  for (const model of ['AccessToken', 'Grant', 'Interaction']) await provider[model].find('x'.repeat(43));
  expect(names).toEqual(expect.arrayContaining(['AccessToken', 'Grant', 'Interaction']));
}

function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'web-build-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}
