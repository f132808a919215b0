import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { buildFunction } from '../build.ts';

test('the function is one small file, the same whenever it is built, with the licenses of what is in it', async () => {
  const [directory, again] = [await built(), await built()];
  const files = ['THIRD-PARTY-NOTICES.txt', 'index.mjs'];
  expect(readdirSync(directory).sort()).toEqual(files);
  const [notices = '', bundle = ''] = files.map((file) => readFileSync(join(directory, file), 'utf8'));
  expect(files.map((file) => readFileSync(join(again, file), 'utf8'))).toEqual([notices, bundle]);
  expect(packagesIn(notices)).toEqual(PACKAGES);
  // Which packages are in it says nothing of a package that comes as a whole by mistake: yaml would add 150 kB.
  expect(Buffer.byteLength(bundle)).toBeLessThan(1_270_000);
  expectSizesSaid(Buffer.byteLength(bundle), gzipSync(bundle).byteLength);
  for (const name of PACKAGES) {
    const [license = ''] = globSync(`node_modules/.pnpm/*/node_modules/${name}/{LICENSE,license}*`);
    expect(notices, name).toContain(readFileSync(license, 'utf8').trim());
  }
});

const PACKAGES = [
  '@orama/stemmers',
  '@zip.js/zip.js',
  'character-entities',
  'decode-named-character-reference',
  'diff',
  'hash-wasm',
  'image-size',
  'jose',
  'micromark-util-decode-numeric-character-reference',
  'micromark-util-decode-string',
  're2js',
  'yaml',
  'zod',
];

/** The document rounds, and a small change of the code does not make it wrong. */
function expectSizesSaid(bytes: number, compressedBytes: number): void {
  const document = readFileSync(join(import.meta.dirname, '../../../docs/benchmarks/starts.md'), 'utf8');
  const [, said = '', compressed = ''] =
    /^The bundle of today has ([\d,]+) kB, (\d+) kB compressed/m.exec(document) ?? [];
  const [, inTable = ''] = /^\| package \| ([\d.]+) MB \|/m.exec(document) ?? [];
  const sizes = [Number(said.replace(',', '')) * 1e3, Number(inTable) * 1e6, Number(compressed) * 1e3];
  const shares = [bytes, bytes, compressedBytes].map((actual, at) => (sizes[at] ?? 0) / actual);
  const message = `docs/benchmarks/starts.md: ${bytes} bytes, ${compressedBytes} compressed`;
  for (const share of shares) {
    expect(share, message).toBeGreaterThan(0.98);
    expect(share, message).toBeLessThan(1.02);
  }
}

function packagesIn(notices: string): string[] {
  return [...notices.matchAll(/^(\S+) \S+, license /gmu)].map(([, name = '']) => name);
}

async function built(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'function-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  await buildFunction(directory);
  return directory;
}
